import type { ServerResponse } from 'node:http'
import { mediaTypes } from '@junctor/protocol'
import type { ResponseHeaders } from './cors.ts'

/** Sends a JSON text as the whole answer, in one write. */
export function answerJson(
  response: ServerResponse,
  status: number,
  text: string,
  more: ResponseHeaders | undefined,
): void {
  if (response.destroyed) return
  const headers = { 'content-type': mediaTypes.json, 'content-length': Buffer.byteLength(text) }
  response.writeHead(status, more === undefined ? headers : { ...headers, ...more })
  response.end(text)
}

/** Sends an answer without a body. */
export function answerEmpty(response: ServerResponse, status: number, more: ResponseHeaders | undefined): void {
  if (response.destroyed) return
  // A 204 has no length (RFC 9110 section 8.6).
  const headers = status === 204 ? {} : { 'content-length': '0' }
  response.writeHead(status, more === undefined ? headers : { ...headers, ...more })
  response.end()
}
