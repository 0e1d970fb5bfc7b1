import {
  clientCapabilitiesFor,
  eraOf,
  isJsonObject,
  isRevision,
  type JsonObject,
  JunctorError,
  latestHandshake,
  type Payload,
  payloadOf,
  type Response,
  type Revision,
  type Scope,
  type ServerInfo,
} from '@junctor/plugin-sdk/link'
import { isOwn } from './attribute.ts'
import manifest from '../package.json' with { type: 'json' }

/**
 * Opens a session: offers the newest revision with a handshake. A server answers with another one if it does not speak
 * that (Lifecycle, "Version Negotiation"); one that refuses instead is offered, once, what it says that it supports, or
 * else the oldest.
 *
 * @param correlates whether the transport tells which request caused a message
 * @param ask sends an `initialize` with these params
 * @throws JunctorError `BACKEND_REFUSED` when it refused, or answered with a revision that is not spoken here
 */
export async function shakeHands(
  scope: Scope,
  correlates: boolean,
  ask: (params: Payload) => Promise<Response>,
): Promise<ServerInfo> {
  const first = await ask(initializeParams(scope, correlates, latestHandshake))
  const other = otherOffer(first)
  return readServerInfo(other === undefined ? first : await ask(initializeParams(scope, correlates, other)))
}

/** For servers that do not say what they support: whoever has a handshake at all has had this one. */
const oldest: Revision = '2024-11-05'

/** The code that the specification's example refuses a version with. */
const unsupportedVersion = -32602

/** What a server is offered that has refused the newest revision; undefined: nothing, its answer stands. */
export function otherOffer(response: Response): Revision | undefined {
  if (response.kind !== 'error') return undefined
  const { code, data } = response.error
  const said = data?.value()
  const supported = isJsonObject(said) ? said['supported'] : undefined
  if (!Array.isArray(supported)) return code === unsupportedVersion ? oldest : undefined
  const known = supported.filter((one) => isRevision(one)).filter((one) => eraOf(one) === 'handshake')
  return known
    .filter((one) => one !== latestHandshake)
    .toSorted()
    .at(-1)
}

/**
 * The params of `initialize`: a revision, and what the link's client can be asked. That is nothing where it could not be
 * told which of several clients a question is for.
 */
export function initializeParams(scope: Scope, correlates: boolean, revision: Revision): Payload {
  return payloadOf({
    protocolVersion: revision,
    capabilities: correlates || isOwn(scope) ? clientCapabilitiesFor(revision, scope.capabilities) : {},
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
