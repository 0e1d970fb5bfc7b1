import type { ServerResponse } from 'node:http'
import { mediaTypes } from '@junctor/protocol'
import type { ResponseHeaders } from '../headers/cors.ts'
import { refusalHeaders } from '../headers/refusal-headers.ts'

/**
 * From this many characters a text is encoded before it is written: Node would reserve and clear three bytes for each.
 */
const largeText = 64 * 1024

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
  const refusal = status < 400 ? undefined : refusalHeaders(status, text)
  // The caller of this function knows more of the refusal than the error contains.
  response.writeHead(
    status,
    more === undefined && refusal === undefined ? headers : { ...headers, ...refusal, ...more },
  )
  response.end(body)
}

/** Sends an answer without a body. */
export function answerEmpty(response: ServerResponse, status: number, more: ResponseHeaders | undefined): void {
  if (response.destroyed) return
  // A 204 has no length (RFC 9110 section 8.6).
  const headers = { ...(status !== 204 && { 'content-length': '0' }), ...refusalHeaders(status, '') }
  response.writeHead(status, more === undefined ? headers : { ...headers, ...more })
  response.end()
}
