import type { ServerResponse } from 'node:http'
import { headers as names, mediaTypes } from '@junctor/protocol'
import type { ResponseHeaders } from './cors.ts'

/**
 * From this many characters a text is encoded before it is written: Node would reserve and clear three bytes for each.
 */
const largeText = 64 * 1024

/**
 * Statuses after which a client should retry, with the header for the time (RFC 9110 section 10.2.3): a second is its
 * smallest unit, and a limit that is reached now may be free then. `data.retryAfterMs` is more exact where it exists.
 */
const comesBack: ReadonlySet<number> = new Set([429, 503])
const inASecond = { [names.retryAfter]: '1' }

/** Sends a JSON text as the whole answer, in one write. */
export function answerJson(
  response: ServerResponse,
  status: number,
  text: string,
  more: ResponseHeaders | undefined,
): void {
  if (response.destroyed) return
  const body = text.length < largeText ? text : Buffer.from(text)
  const headers = { 'content-type': mediaTypes.json, 'content-length': Buffer.byteLength(body) }
  const further = comesBack.has(status) ? { ...more, ...inASecond } : more
  response.writeHead(status, further === undefined ? headers : { ...headers, ...further })
  response.end(body)
}

/** Sends an answer without a body. */
export function answerEmpty(response: ServerResponse, status: number, more: ResponseHeaders | undefined): void {
  if (response.destroyed) return
  // A 204 has no length (RFC 9110 section 8.6).
  const headers = { ...(status !== 204 && { 'content-length': '0' }), ...(comesBack.has(status) && inASecond) }
  response.writeHead(status, more === undefined ? headers : { ...headers, ...more })
  response.end()
}
