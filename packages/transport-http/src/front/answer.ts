import type { ServerResponse } from 'node:http'
import { headers as names, mediaTypes } from '@junctor/protocol'
import type { ResponseHeaders } from './cors.ts'

/** Characters from which on a text is encoded before it is written: Node sets aside three bytes for each, and fills them anew. */
const largeText = 64 * 1024

/**
 * Statuses that ask a client to come back, with the header that says when (RFC 9110 section 10.2.3): a second is its
 * smallest unit, and what is full now need not be then. `data.retryAfterMs` is more exact where it is there.
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
