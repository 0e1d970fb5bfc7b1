import { isIP } from 'node:net'
import { GatheredBytes } from '@junctor/primitives'
import type { AddressKind } from './address-kind.ts'
import { allowedHosts, hostOf } from './allowed-hosts.ts'
import { decodedPieces } from './decoded-pieces.ts'
import { createGuardedAgent, refusedAddress } from './guarded-agent.ts'
import { HttpRequestError } from './http-request-error.ts'
import { type HttpHead, HttpRound } from './http-round.ts'
import { judgeRedirect } from './judge-redirect.ts'

/** Bounds of all requests of a client. */
export interface HttpClientOptions {
  /**
   * Hosts that the operator named, in the configuration file for example. Only these may have private addresses. Take
   * none of them from the network. Default: none.
   */
  readonly allowed?: readonly string[]
  /** Milliseconds from the request to the last byte of its answer, redirects included. Default: 30,000. */
  readonly timeoutMs?: number
  /** Bytes of the body of an answer. Default: 16 MiB. */
  readonly maxBytes?: number
  /** Redirects that are followed. Default: 5. */
  readonly maxRedirects?: number
}

/** One request. */
export interface HttpRequest {
  /** Default: `GET`. */
  readonly method?: string
  /** They are not sent to another origin, should the answer be a redirect to one. */
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  readonly signal?: AbortSignal
  /** Default: that of the client. */
  readonly timeoutMs?: number
  /** Default: that of the client. */
  readonly maxBytes?: number
}

/** An answer, whatever its status. Its body must be read or cancelled, once. */
export interface HttpResponse extends HttpHead {
  /** The URL that answered, after redirects. */
  readonly url: string
  /**
   * The body without a content coding, piece by piece, as fast as they are read.
   *
   * @throws HttpRequestError when the rest does not arrive, or is too large
   */
  pieces(): AsyncIterable<Uint8Array>
  /**
   * The whole body as text. Bytes that are not UTF-8 become U+FFFD.
   *
   * @throws HttpRequestError as `pieces` does
   */
  text(): Promise<string>
  /** The whole body. */
  bytes(): Promise<Uint8Array>
  /** Closes the connection without reading the rest. */
  cancel(): void
}

/** Requests to servers whose addresses may come from others. */
export interface HttpClient {
  /**
   * Sends a request, and follows redirects. An answer with any status resolves.
   *
   * @throws HttpRequestError when there is no usable answer
   */
  request(url: string | URL, request?: HttpRequest): Promise<HttpResponse>
  /** Closes all connections. Requests in flight fail. */
  close(): Promise<void>
}

interface Bounds {
  readonly maxBytes: number
  readonly timeoutMs: number
  readonly signal: AbortSignal | undefined
}

/** One request on the way through redirects. */
interface Hop {
  readonly url: URL
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array | undefined
  /** Whether the request is still at the host that the caller named: only then private addresses can be allowed. */
  readonly named: boolean
}

const anyKind: ReadonlySet<AddressKind> = new Set(['public', 'private', 'reserved'])
const notReserved: ReadonlySet<AddressKind> = new Set(['public', 'private'])
const onlyPublic: ReadonlySet<AddressKind> = new Set(['public'])
const ownHeaders = { 'user-agent': 'junctor', 'accept-encoding': 'identity' }

/**
 * Makes a client that connects to public addresses only, except for hosts that are allowed by name. A redirect to
 * another host never reaches a private address, even that of an allowed host. Proxies of the environment are not used.
 *
 * @throws Error when `allowed` has a text that is not a host
 */
export function createHttpClient(options: HttpClientOptions = {}): HttpClient {
  const { timeoutMs = 30_000, maxBytes = 16 * 1024 * 1024, maxRedirects = 5 } = options
  const allowed = allowedHosts(options.allowed ?? [])
  // Connections are kept alive: those to private addresses must not be found by a request that may not open them.
  const guarded = createGuardedAgent(onlyPublic)
  const trusting = createGuardedAgent(notReserved)

  function send(hop: Hop, bounds: Bounds): HttpRound {
    const host = hostOf(hop.url)
    const isAllowed = hop.named && allowed.has(host)
    const refused = refusedAddress(host, isIP(host) > 0, isAllowed ? anyKind : onlyPublic)
    if (refused !== undefined) throw refused
    const round = new HttpRound(bounds)
    const { url, method, headers, body = null } = hop
    const agent = isAllowed ? trusting : guarded
    agent.dispatch({ origin: url.origin, path: url.pathname + url.search, method, headers, body }, round)
    return round
  }

  async function first(hop: Hop, bounds: Bounds): Promise<{ readonly round: HttpRound; readonly head: HttpHead }> {
    const round = send(hop, bounds)
    return { round, head: await round.head }
  }

  return {
    async request(target, request = {}) {
      const deadline = performance.now() + (request.timeoutMs ?? timeoutMs)
      const { signal } = request
      let hop = firstHop(target, request)
      for (let left = maxRedirects; ; left -= 1) {
        const bounds = {
          maxBytes: request.maxBytes ?? maxBytes,
          timeoutMs: Math.max(1, Math.ceil(deadline - performance.now())),
          signal,
        }
        // oxlint-disable-next-line no-await-in-loop -- one redirect after the other
        const { round, head } = await first(hop, bounds).catch((error: unknown) => {
          throw left < maxRedirects ? afterRedirect(error) : error
        })
        const next = nextHop(hop, head, left)
        if (next.kind === 'answer') return responseOf(hop.url, head, round, bounds.maxBytes)
        round.cancel()
        if (next.kind === 'refused') throw new HttpRequestError('redirect_refused', next.why, { sent: true })
        ;({ hop } = next)
      }
    },
    async close() {
      await Promise.all([guarded.destroy(), trusting.destroy()])
    },
  }
}

function firstHop(target: string | URL, { method = 'GET', headers, body }: HttpRequest): Hop {
  const url = URL.canParse(String(target)) ? new URL(target) : undefined
  if (url === undefined || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new HttpRequestError('bad_request', 'Expected a URL with http or https', { sent: false })
  }
  if (url.username !== '' || url.password !== '') {
    throw new HttpRequestError('bad_request', 'Expected a URL without credentials: put them into a header', {
      sent: false,
    })
  }
  return { url, method, headers: { ...ownHeaders, ...headers }, body, named: true }
}

/** The failure of a request that a server has received already, and answered with a redirect. */
function afterRedirect(error: unknown): unknown {
  if (!(error instanceof HttpRequestError) || error.sent) return error
  return new HttpRequestError(error.kind, error.message, { sent: true, cause: error.cause })
}

type Next =
  | { readonly kind: 'answer' }
  | { readonly kind: 'refused'; readonly why: string }
  | { readonly kind: 'follow'; readonly hop: Hop }

function nextHop(hop: Hop, { status, headers }: HttpHead, left: number): Next {
  const { url: from, method, body } = hop
  const { location } = headers
  const verdict = judgeRedirect({ from, method, hasBody: body !== undefined, status, location, left })
  if (verdict.kind !== 'follow') return verdict
  const { url, withBody, otherOrigin } = verdict
  const sameHeaders = withBody || body === undefined ? hop.headers : withoutContent(hop.headers)
  return {
    kind: 'follow',
    hop: {
      url,
      method: verdict.method,
      headers: otherOrigin ? publicHeaders(hop.headers) : sameHeaders,
      body: withBody ? body : undefined,
      named: hop.named && hostOf(url) === hostOf(from),
    },
  }
}

/** What any server may receive: who asks, and for which form. */
function publicHeaders(headers: Hop['headers']): Hop['headers'] {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => /^(accept.*|user-agent)$/i.test(name)))
}

function withoutContent(headers: Hop['headers']): Hop['headers'] {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !/^content-/i.test(name)))
}

function responseOf(url: URL, { status, headers }: HttpHead, round: HttpRound, maxBytes: number): HttpResponse {
  const all = (): AsyncIterable<Uint8Array> => decodedPieces(round, headers['content-encoding'], maxBytes)
  async function bytes(): Promise<Uint8Array> {
    const gathered = new GatheredBytes()
    for await (const piece of all()) gathered.add(piece)
    return gathered.take()
  }
  return {
    status,
    headers,
    url: url.href,
    pieces: all,
    text: async () => new TextDecoder().decode(await bytes()),
    bytes,
    cancel: () => round.cancel(),
  }
}
