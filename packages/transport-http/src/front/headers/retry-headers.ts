import { isJsonObject } from '@junctor/jsonrpc'
import { headers as names } from '@junctor/protocol'
import type { ResponseHeaders } from './cors.ts'

/**
 * The headers that tell a client when to retry, from the data of the error that it gets: `Retry-After` (RFC 9110
 * section 10.2.3), and for an error with a limit `RateLimit` and `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers).
 * A second is the smallest unit; the error has milliseconds. Without them, a limit that is reached now may be free in a
 * second.
 */
export function retryHeaders({ retryAfterMs, limit }: Readonly<Record<string, unknown>>): ResponseHeaders {
  const seconds = isAmount(retryAfterMs) ? Math.max(1, Math.ceil(retryAfterMs / 1000)) : 1
  const retry = { [names.retryAfter]: String(seconds) }
  if (!isJsonObject(limit)) return retry
  const { of, calls, windowMs } = limit
  if (typeof of !== 'string' || !/^[a-z]+$/.test(of) || !isAmount(calls) || !isAmount(windowMs)) return retry
  return {
    ...retry,
    [names.rateLimit]: `"${of}";r=0;t=${seconds}`,
    [names.rateLimitPolicy]: `"${of}";q=${calls};w=${Math.ceil(windowMs / 1000)}`,
  }
}

function isAmount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}
