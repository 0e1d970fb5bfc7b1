import type { EventEmitter } from 'node:events'
import { GatheredBytes } from '@junctor/primitives'

/** Receives the outcome of reading a body: one of the two calls, or neither when the peer disconnects first. */
export interface BodyReader {
  bodyRead(bytes: Uint8Array): void
  /** Receives what arrived within the limit, or the first piece. What comes later is discarded. */
  bodyTooLarge(start: Uint8Array): void
}

/** Whether the length that a request declares exceeds the limit. */
export function declaresTooMuch(contentLength: string | undefined, limit: number): boolean {
  return contentLength !== undefined && Number(contentLength) > limit
}

/** Reads a body of at most `limit` bytes, whether it declares its length or not. */
export function readBody(request: Pick<EventEmitter, 'on'>, limit: number, reader: BodyReader): void {
  const gathered = new GatheredBytes()
  let isTooLarge = false

  request.on('data', (chunk: Uint8Array) => {
    if (isTooLarge) return
    isTooLarge = gathered.length + chunk.length > limit
    if (!isTooLarge) return gathered.add(chunk)
    reader.bodyTooLarge(gathered.length === 0 ? chunk : gathered.take())
  })
  request.on('end', () => {
    if (!isTooLarge) reader.bodyRead(gathered.take())
  })
}
