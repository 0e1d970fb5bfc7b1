import {
  clientCapabilitiesFor,
  eraOf,
  isJsonObject,
  isRevision,
  type JsonObject,
  JunctorError,
  latestHandshake,
  memberOf,
  type Payload,
  payloadOf,
  type Response,
  type Revision,
  type Scope,
  type ServerInfo,
} from '@junctor/plugin-sdk/link'
import { isDeepStrictEqual } from 'node:util'
import { isOwn } from './attribute.ts'
import manifest from '../../package.json' with { type: 'json' }

/**
 * Opens a session: offers the newest revision with a handshake. A server that does not support it answers with another
 * one (Lifecycle, "Version Negotiation"). A server that refuses instead receives one second offer: a revision that its
 * refusal lists as supported, or else the oldest one. A server that fails on an offer with modes of capabilities, which
 * it may not be able to read, is offered a revision that has none.
 *
 * @param correlates whether the transport names the request that caused a message
 * @param ask sends an `initialize` with these params
 * @throws JunctorError `BACKEND_REFUSED` when the server refused, with the reason of its first refusal, or answered with an
 * unsupported revision
 */
export async function performHandshake(
  scope: Scope,
  correlates: boolean,
  ask: (params: Payload) => Promise<Response>,
): Promise<ServerInfo> {
  const first = await ask(initializeParams(scope, correlates, latestHandshake))
  const other = secondOffer(first, declared(scope, correlates))
  const last = other === undefined ? first : await ask(initializeParams(scope, correlates, other))
  return readServerInfo(last.kind === 'result' ? last : first)
}

/** The offer for a server that does not list its supported revisions: the first revision with a handshake. */
const oldest: Revision = '2024-11-05'

/** The error code of an unsupported version in the specification's example. */
const unsupportedVersion = -32602

/**
 * Stateless servers on the SDK for Java 0.17 fail with this code on capabilities with members that they do not know, such
 * as the modes of `elicitation`.
 */
const internalError = -32603

/** The newest revision in which `elicitation` and `sampling` have no modes. */
const withoutModes: Revision = '2025-06-18'

/**
 * The second offer to a server that has refused the newest revision; undefined when its refusal has another reason.
 *
 * @param capabilities those of the client
 */
export function secondOffer(response: Response, capabilities: JsonObject): Revision | undefined {
  if (response.kind !== 'error') return undefined
  const { code, data } = response.error
  const supported = memberOf(data?.value(), 'supported')
  if (!Array.isArray(supported)) {
    if (code === unsupportedVersion) return oldest
    return code === internalError && hasModes(capabilities) ? withoutModes : undefined
  }
  const known = supported.filter((one) => isRevision(one)).filter((one) => eraOf(one) === 'handshake')
  return known
    .filter((one) => one !== latestHandshake)
    .toSorted()
    .at(-1)
}

function hasModes(capabilities: JsonObject): boolean {
  const [newest, plain] = [latestHandshake, withoutModes].map((each) => clientCapabilitiesFor(each, capabilities))
  return !isDeepStrictEqual(newest, plain)
}

/**
 * The params of `initialize`: a revision, and the capabilities of the link's client. Only extensions are declared where a
 * request from the server could not be attributed to one of several clients.
 *
 * Roots are of a session, and a server may keep them while it lasts: a link of several clients declares none, because
 * one of them would get what is for the roots of another. Only the client of a session announces changed ones.
 */
export function initializeParams(scope: Scope, correlates: boolean, revision: Revision): Payload {
  return payloadOf({
    protocolVersion: revision,
    capabilities: clientCapabilitiesFor(revision, declared(scope, correlates)),
    clientInfo: { name: 'junctor', version: manifest.version },
  })
}

function declared(scope: Scope, correlates: boolean): JsonObject {
  const { capabilities } = scope
  if (scope.session !== undefined) return capabilities
  const { roots, ...others } = capabilities
  if (isOwn(scope)) return roots === undefined ? others : { ...others, roots: {} }
  if (correlates) return others
  const { extensions } = others
  return extensions === undefined ? {} : { extensions }
}

/**
 * The server info in the response to `initialize`.
 *
 * @throws JunctorError `BACKEND_REFUSED` when the server refused, or answered with an unsupported revision
 */
export function readServerInfo(response: Response): ServerInfo {
  if (response.kind === 'error') {
    const { code, message } = response.error
    throw new JunctorError('BACKEND_REFUSED', `The server refused the handshake with ${code}: ${message}`)
  }
  const value = response.result.value()
  if (!isJsonObject(value))
    throw new JunctorError('BACKEND_REFUSED', 'Expected the result of initialize to be an object')
  const { protocolVersion, capabilities, serverInfo, instructions } = value
  return {
    revision: readRevision(protocolVersion),
    capabilities: isJsonObject(capabilities) ? capabilities : {},
    info: isJsonObject(serverInfo) ? serverInfo : {},
    instructions: typeof instructions === 'string' ? instructions : undefined,
  }
}

function readRevision(version: unknown): Revision {
  if (isRevision(version) && eraOf(version) === 'handshake') return version
  throw new JunctorError(
    'BACKEND_REFUSED',
    `Expected a protocol version up to ${latestHandshake}, got ${JSON.stringify(version) ?? 'none'}`,
  )
}
