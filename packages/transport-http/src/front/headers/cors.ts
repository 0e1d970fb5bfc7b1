import { headers } from '@junctor/protocol'

/** Response headers, by lower-case name. */
export type ResponseHeaders = Readonly<Record<string, string>>

const requestHeaders: string = [
  headers.accept,
  headers.authorization,
  headers.dpop,
  headers.contentType,
  headers.lastEventId,
  headers.sessionId,
  headers.protocolVersion,
  headers.method,
  headers.name,
  headers.prefer,
  headers.traceparent,
  headers.tracestate,
].join(', ')

const responseHeaders: string = [
  headers.sessionId,
  headers.protocolVersion,
  headers.preferenceApplied,
  headers.wwwAuthenticate,
  headers.retryAfter,
  headers.rateLimit,
  headers.rateLimitPolicy,
].join(', ')

/** How long a browser may cache a preflight, in seconds. Two hours is the longest time that any browser uses. */
const preflightSeconds = '7200'

/**
 * The headers with which a page of an admitted origin may read an answer (Fetch standard, CORS). None for other
 * clients.
 */
export function corsHeaders(origin: string | undefined): ResponseHeaders | undefined {
  if (origin === undefined) return undefined
  return {
    'access-control-allow-origin': origin,
    'access-control-expose-headers': responseHeaders,
    vary: 'Origin',
  }
}

/**
 * The headers with which a page of an admitted origin may send a request. The schemas of tools name `Mcp-Param-*`
 * headers, so every such header that the browser asks for is allowed. `allowed` are the methods of the endpoint.
 */
export function preflightHeaders(
  allowed: string,
  origin: string | undefined,
  wanted: string | undefined,
): ResponseHeaders {
  if (origin === undefined) return { allow: allowed }
  const parameters = (wanted ?? '').split(',').map((name) => name.trim().toLowerCase())
  const named = parameters.filter((name) => parameterName.test(name))
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-methods': allowed,
    'access-control-allow-headers': [requestHeaders, ...named].join(', '),
    'access-control-max-age': preflightSeconds,
    vary: 'Origin, Access-Control-Request-Headers',
  }
}

const parameterName = new RegExp(`^${headers.parameterPrefix}[a-z0-9_.-]{1,64}$`)
