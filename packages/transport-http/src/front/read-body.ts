import type { Readable } from 'node:stream'

/** Receives the outcome of reading a body: one of the two calls, or neither when the peer disconnects first. */
export interface BodyReader {
  bodyRead(bytes: Buffer): void
  /** Receives the first piece of what has arrived. Later pieces are discarded. */
  bodyTooLarge(start: Buffer): void
}

/** Whether the length that a request declares exceeds the limit. */
export function declaresTooMuch(contentLength: string | undefined, limit: number): boolean {
  return contentLength !== undefined && Number(contentLength) > limit
}

/** Reads a body of at most `limit` bytes, whether it declares its length or not. */
export function readBody(request: Readable, limit: number, reader: BodyReader): void {
  let first: Buffer | undefined
  let chunks: Buffer[] | undefined
  let length = 0

  request.on('data', (chunk: Buffer) => {
    if (length > limit) return
    length += chunk.length
    if (length > limit) {
      const start = first ?? chunk
      first = undefined
      chunks = undefined
      reader.bodyTooLarge(start)
    } else if (first === undefined) {
      first = chunk
    } else {
      chunks ??= [first]
      chunks.push(chunk)
    }
  })
  request.on('end', () => {
    if (length > limit) return
    // Most bodies arrive in one piece, which is then used without a copy.
    reader.bodyRead(chunks === undefined ? (first ?? empty) : Buffer.concat(chunks, length))
  })
}

const empty = Buffer.alloc(0)
