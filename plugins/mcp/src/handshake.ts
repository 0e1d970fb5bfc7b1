import type { Scope, ServerInfo } from '@junctor/exchange'
import { isJsonObject, type JsonObject, type Payload, payloadOf, type Response } from '@junctor/jsonrpc'
import {
  clientCapabilitiesFor,
  eraOf,
  isRevision,
  JunctorError,
  latestHandshake,
  type Revision,
} from '@junctor/protocol'
import { isOwn } from './attribute.ts'
import manifest from '../package.json' with { type: 'json' }

/**
 * The params of `initialize`: the newest revision with a handshake, and what the link's client can be asked. That is
 * nothing where it could not be told which of several clients a question is for.
 *
 * @param correlates whether the transport tells which request caused a message
 */
export function initializeParams(scope: Scope, correlates: boolean): Payload {
  return payloadOf({
    protocolVersion: latestHandshake,
    capabilities: correlates || isOwn(scope) ? clientCapabilitiesFor(latestHandshake, scope.capabilities) : {},
    clientInfo: { name: 'junctor', version: manifest.version },
  })
}

/**
 * What a server said of itself.
 *
 * @throws JunctorError `BACKEND_REFUSED` when it refused, or answered with a revision that is not spoken here
 */
export function readServerInfo(response: Response): ServerInfo {
  if (response.kind === 'error') {
    const { code, message } = response.error
    throw new JunctorError('BACKEND_REFUSED', `The server refused the handshake with ${code}: ${message}`)
  }
  const value = response.result.value()
  if (!isJsonObject(value))
    throw new JunctorError('BACKEND_REFUSED', 'Expected the result of initialize to be an object')
  const { protocolVersion, capabilities, serverInfo, instructions } = value as InitializeResult
  return {
    revision: readRevision(protocolVersion),
    capabilities: isJsonObject(capabilities) ? capabilities : {},
    info: isJsonObject(serverInfo) ? serverInfo : {},
    instructions: typeof instructions === 'string' ? instructions : undefined,
  }
}

type InitializeResult = Readonly<
  Record<'protocolVersion' | 'capabilities' | 'serverInfo' | 'instructions', JsonObject[string]>
>

function readRevision(version: unknown): Revision {
  if (isRevision(version) && eraOf(version) === 'handshake') return version
  throw new JunctorError(
    'BACKEND_REFUSED',
    `Expected a protocol version up to ${latestHandshake}, got ${JSON.stringify(version) ?? 'none'}`,
  )
}
