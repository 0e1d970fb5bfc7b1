import type { Exchange } from '@junctor/exchange'
import type { Log } from '@junctor/contracts'
import { checkConfiguredHeader, headers as names, JunctorError } from '@junctor/protocol'
import { Pool } from 'undici'
import { HttpRound, type Round, type RoundListener } from './http-round.ts'
import { sentSecrets } from './sent-secrets.ts'

/** Bounds of what a server may send. */
export interface McpHttpClientLimits {
  /** Bytes of one JSON body, characters of one event. Default: 16 MiB. */
  readonly messageBytes: number
}

/** The server, the credentials for it, and how much it may send. */
export interface HttpOriginOptions {
  /** The server's endpoint; requests are sent only to its origin. */
  readonly url: URL
  /** Sent with every request: credentials and other headers that the server needs. Protocol headers are not allowed. */
  readonly headers: Readonly<Record<string, string>>
  readonly limits: McpHttpClientLimits
  readonly log: Log
  readonly backend: string | undefined
}

/** One HTTP request. */
export interface RoundRequest {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** Path and query. Default: the endpoint's. */
  readonly path?: string
  /** Names and values alternating, the origin's own headers included. */
  readonly headers: string[]
  readonly body?: string
  /** The call for which it is sent: `withTokens` needs it. */
  readonly exchange?: Exchange | undefined
}

/** One HTTP origin with kept-alive connections that all of its sessions share. */
export interface HttpOrigin {
  readonly url: URL
  readonly log: Log
  /** {@link HttpOriginOptions.backend} */
  readonly backend: string | undefined
  /** The configured headers, names and values alternating: the start of every request's headers. */
  readonly headers: readonly string[]
  send(request: RoundRequest, listener: RoundListener): Round
  /** Closes every connection immediately. Requests in flight on them fail. */
  close(): Promise<void>
}

/** Headers that belong to the protocol or the connection: a configured value would break either. */
const reserved: ReadonlySet<string> = new Set([
  names.accept,
  names.contentType,
  names.host,
  names.lastEventId,
  names.sessionId,
  names.protocolVersion,
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** Sent unless the configuration has them. Without `accept-encoding` a server may choose any coding of bodies. */
const ownHeaders = { 'user-agent': 'junctor', 'accept-encoding': 'identity' }

/** @throws JunctorError `CONFIG_INVALID` for a URL or header that cannot be used */
export function createHttpOrigin({ url, headers, limits, log, backend }: HttpOriginOptions): HttpOrigin {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new JunctorError('CONFIG_INVALID', `Expected a URL with http or https, got ${url.protocol}`)
  }
  if (url.username !== '' || url.password !== '') {
    throw new JunctorError('CONFIG_INVALID', 'Expected a URL without credentials: put them into a header')
  }
  const sent = configuredHeaders(headers)
  const endpoint = url.pathname + url.search
  const pool = new Pool(url.origin, {
    // Calls may take as long as their deadlines, which the gateway enforces, and streams may be silent for hours. TCP
    // keep-alive, which undici sets, detects a peer that has vanished.
    headersTimeout: 0,
    bodyTimeout: 0,
    allowH2: false,
  })
  return {
    url,
    log,
    backend,
    headers: sent,
    send({ method, path = endpoint, headers: all, body = '' }, listener) {
      const round = new HttpRound(listener, limits.messageBytes, () => sentSecrets(path, all))
      pool.dispatch({ method, path, headers: all, body: body === '' ? null : body }, round)
      return round
    },
    close: () => pool.destroy(),
  }
}

function configuredHeaders(headers: Readonly<Record<string, string>>): readonly string[] {
  const flat: string[] = []
  for (const [name, value] of Object.entries(headers)) {
    checkConfiguredHeader(name, value, (lower) => reserved.has(lower))
    flat.push(name.toLowerCase(), value)
  }
  const missing = Object.entries(ownHeaders).filter(([name]) => !flat.includes(name))
  return [...missing.flat(), ...flat]
}
