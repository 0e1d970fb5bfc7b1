import type { EventEmitter } from 'node:events'
import { GatheredBytes } from '@junctor/primitives'
import type { BodyRoom } from './body-room.ts'

/** Receives the outcome of reading a body: one of these calls, or none when the peer disconnects first. */
export interface BodyReader {
  bodyRead(bytes: Uint8Array): void
  /** Receives what arrived within the limit, or the first piece. What comes later is discarded. */
  bodyTooLarge(start: Uint8Array): void
  /** There is no memory for the rest, which is discarded. */
  bodyHasNoRoom(): void
}

/** Whether the length that a request declares exceeds the limit. */
export function declaresTooMuch(contentLength: string | undefined, limit: number): boolean {
  return contentLength !== undefined && Number(contentLength) > limit
}

/** Reads a body of at most `limit` bytes, whether it declares its length or not, while there is room for it. */
export function readBody(request: Pick<EventEmitter, 'on'>, limit: number, room: BodyRoom, reader: BodyReader): void {
  const gathered = new GatheredBytes()
  let isOver = false

  /** Ends the reading. Returns what was read. */
  const finish = (): Uint8Array => {
    isOver = true
    room.leave(gathered.length)
    return gathered.take()
  }
  request.on('data', (chunk: Uint8Array) => {
    if (isOver) return
    const { length } = gathered
    if (length + chunk.length > limit) {
      const start = finish()
      return reader.bodyTooLarge(length === 0 ? chunk : start)
    }
    if (room.grow(length, length + chunk.length)) return gathered.add(chunk)
    finish()
    reader.bodyHasNoRoom()
  })
  request.on('end', () => {
    if (!isOver) reader.bodyRead(finish())
  })
  request.on('close', () => {
    if (!isOver) finish()
  })
}
