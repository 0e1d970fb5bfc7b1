import { isJsonObject } from '@junctor/jsonrpc'
import { headers as names } from '@junctor/protocol'
import type { ResponseHeaders } from './cors.ts'

/** Statuses after which a client should retry. */
const comesBack: ReadonlySet<number> = new Set([429, 503])

/** The errors of the gateway itself are short. Others are not read. */
const longestError = 4096

/**
 * The headers that tell a client when to retry, from the status and the error that it gets: `Retry-After` (RFC 9110
 * section 10.2.3), and for an error with a limit `RateLimit` and `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers).
 * A second is the smallest unit; the error has milliseconds. Without them, a limit that is reached now may be free in a
 * second.
 */
export function retryHeaders(status: number, text: string): ResponseHeaders | undefined {
  if (!comesBack.has(status)) return undefined
  const { retryAfterMs, limit } = dataOf(text)
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

function dataOf(text: string): Record<string, unknown> {
  if (text === '' || text.length > longestError) return {}
  try {
    const message: unknown = JSON.parse(text)
    const error = isJsonObject(message) ? message['error'] : undefined
    const data = isJsonObject(error) ? error['data'] : undefined
    return isJsonObject(data) ? data : {}
  } catch {
    return {}
  }
}

function isAmount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}
