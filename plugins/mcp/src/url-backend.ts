import { type Backend, headers as names, JunctorError, type Link, type Log, type Emit } from '@junctor/plugin-sdk/link'
import { createMcpHttpClient, type McpHttpClient } from '@junctor/transport-http/back'
import type { UrlConfig } from './config.ts'
import { createCredentials, type GatewayAccess } from './credentials/create-credentials.ts'
import { openExchangingLink } from './credentials/exchanging-link.ts'
import { createPersonalBackend } from './credentials/personal-backend.ts'
import { openPersonalLink } from './credentials/personal-link.ts'
import type { OpenWithTokens } from './credentials/open-with-tokens.ts'
import { createEraMemory, type EraMemory, triesHandshakeFirst } from './link/era-memory.ts'
import { openHttpLink } from './http/http-link.ts'
import type { LinkOptions } from './link/link-options.ts'
import { openMcpLink } from './connection/mcp-link.ts'
import { HttpRequestFailed } from './http/http-request-failed.ts'
import { mayRefuseEra } from './may-refuse-era.ts'
import { pacedWarnings } from './paced-warnings.ts'
import type { KnownParameters } from './stateless/http-wire.ts'
import { openOverHttp } from './stateless/open-over-http.ts'

/** The server, and what the gateway gives for tokens of people. */
export interface UrlBackendOptions {
  readonly name: string
  readonly config: UrlConfig
  readonly log: Log
  readonly emit: Emit
  /** What tokens of people need. Absent: they cannot be configured. */
  readonly gateway?: GatewayAccess | undefined
}

/**
 * A backend that is a server over HTTP: each link is its own session, and all share the connections.
 *
 * @throws JunctorError `CONFIG_INVALID` for a URL or header that cannot be used
 */
export function createUrlBackend({ name, config, emit, gateway, ...options }: UrlBackendOptions): Backend {
  const log = pacedWarnings(options.log, () => performance.now())
  const http = createMcpHttpClient({ url: config.url, headers: serverHeaders(config), log, backend: name })
  const server = { http, parameters: new Map(), era: createEraMemory(config.era ?? 'auto', () => performance.now()) }
  const followsEra = server.era.choice === 'auto'
  const credentials = createCredentials({ name, config, log, gateway })
  const openFor: OpenWithTokens = (tokens, { scope, client }, signal) =>
    openOfAnyEra({ ...server, http: http.withTokens(tokens) }, { backend: name, scope, client, log, emit }, signal)
  if (credentials.kind === 'person') {
    const { people } = credentials
    const close = async (): Promise<void> => void (await Promise.all([http.close(), people.close()]))
    return createPersonalBackend({
      name,
      followsEra,
      openLink: (person, owner, signal) =>
        openPersonalLink({ name, people, open: openFor, log, person, ...owner }, signal),
      close,
    })
  }
  if (credentials.kind === 'exchange') {
    const { exchanges } = credentials
    const close = async (): Promise<void> => void (await Promise.all([http.close(), credentials.close()]))
    return createPersonalBackend({
      name,
      followsEra,
      takesCallerToken: true,
      openLink(person, owner, signal) {
        const tokens = exchanges.tokens(person, owner.scope.callerToken)
        const { principal } = person
        return openExchangingLink({ name, tokens, open: openFor, log, principal, ...owner }, signal)
      },
      close,
    })
  }
  const known = credentials.kind === 'machine' ? { ...server, http: http.withTokens(credentials.tokens) } : server
  return {
    name,
    correlates: true,
    followsEra,
    open: (scope, client, signal) => openOfAnyEra(known, { backend: name, scope, client, log, emit }, signal),
    async close() {
      await Promise.all([http.close(), credentials.kind === 'machine' ? credentials.close() : undefined])
    },
  }
}

/** A server, and what all links to it know of it. */
interface KnownServer {
  readonly http: McpHttpClient
  readonly parameters: KnownParameters
  readonly era: EraMemory
}

/** Opens a link in the era of its owner, if the server speaks it: with its first request the server shows whether it does. */
async function openOfAnyEra(
  { http, parameters, era }: KnownServer,
  options: LinkOptions,
  signal: AbortSignal,
): Promise<Link> {
  const refused = triesHandshakeFirst(era, options.scope.era) ? await openOrRefused(http, options, signal) : undefined
  if (refused?.kind === 'link') {
    era.learn('handshake', true)
    return refused.link
  }
  const openStateless = async (): Promise<Link | undefined> => {
    const link = await openOverHttp(http, parameters, options, signal)
    if (link !== undefined) era.learn('stateless', true)
    return link
  }
  const mayBeStateless = era.speaks('stateless') !== false
  const found = mayBeStateless ? await openStateless() : undefined
  if (found !== undefined) {
    if (refused !== undefined) era.learn('handshake', false)
    return found
  }
  if (era.choice === 'stateless') throw new JunctorError('BACKEND_REFUSED', 'Expected a server of 2026-07-28')
  const tried = refused ?? (await openOrRefused(http, options, signal))
  try {
    const link = tried.kind === 'link' ? tried.link : await openOldServer(http, options, signal, tried.error)
    era.learn('handshake', true)
    if (mayBeStateless) era.learn('stateless', false)
    return link
  } catch (error) {
    // It took handshakes a while ago, and may have been updated since.
    const updated = mayBeStateless || era.choice !== 'auto' ? undefined : await openStateless()
    if (updated === undefined) throw error
    era.learn('handshake', false)
    return updated
  }
}

/** The headers that are sent to a server in addition to those of the protocol. */
export function serverHeaders({ headers, auth }: UrlConfig): Readonly<Record<string, string>> {
  return auth?.bearer === undefined ? headers : { ...headers, [names.authorization]: `Bearer ${auth.bearer}` }
}

type HandshakeEnd =
  | { readonly kind: 'link'; readonly link: Link }
  /** The server has answered, and takes no handshake in this way. */
  | { readonly kind: 'refused'; readonly error: JunctorError }

/** Opens Streamable HTTP with a handshake. Rejects when the server cannot be reached, or wants another caller. */
async function openOrRefused(http: McpHttpClient, options: LinkOptions, signal: AbortSignal): Promise<HandshakeEnd> {
  try {
    return { kind: 'link', link: await openHttpLink(http, options, signal) }
  } catch (error) {
    if (isRefusal(error)) return { kind: 'refused', error }
    throw error
  }
}

/**
 * Opens HTTP+SSE with a server that has only that (2025-11-25, "Backwards Compatibility"). A link over HTTP+SSE cannot
 * attribute messages to requests; when several clients share it, it declares no client capabilities. Rejects with the
 * refusal when it is no such server.
 */
async function openOldServer(
  http: McpHttpClient,
  options: LinkOptions,
  signal: AbortSignal,
  refusal: JunctorError,
): Promise<Link> {
  if (!isOldServer(refusal)) throw refusal
  const connect = (receiver: Parameters<McpHttpClient['openSseTransport']>[0]) =>
    http.openSseTransport(receiver, signal)
  return await openMcpLink({ ...options, correlates: false, connect }, signal).catch(() => {
    // It is not a server of 2024-11-05 either: the first error is more useful.
    throw refusal
  })
}

function isRefusal(error: unknown): error is JunctorError {
  if (!(error instanceof JunctorError) || error.code !== 'BACKEND_REFUSED') return false
  return !(error instanceof HttpRequestFailed) || error.failure.kind !== 'refused' || mayRefuseEra(error.failure)
}

/** The statuses with which a server of 2024-11-05 answers a POST to its stream. 401 and 403 are not among them. */
const oldServerStatuses: ReadonlySet<number> = new Set([400, 404, 405])

function isOldServer(error: JunctorError): boolean {
  if (!(error instanceof HttpRequestFailed)) return false
  const { failure } = error
  return failure.kind === 'old_stream' || (failure.kind === 'refused' && oldServerStatuses.has(failure.status))
}
