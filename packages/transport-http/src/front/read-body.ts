import type { Readable } from 'node:stream'

/** Gets what comes of reading a body: one of the two, or neither when the peer goes away first. */
export interface BodyReader {
  bodyRead(bytes: Buffer): void
  /** Gets the first piece of what came until now. What still comes is not kept. */
  bodyTooLarge(start: Buffer): void
}

/** Whether the length that a request declares is beyond the limit. */
export function declaresTooMuch(contentLength: string | undefined, limit: number): boolean {
  return contentLength !== undefined && Number(contentLength) > limit
}

/** Reads a body of at most `limit` bytes, whether its length was declared or not. */
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
    // Most bodies come in one piece, which is then used as it is.
    reader.bodyRead(chunks === undefined ? (first ?? empty) : Buffer.concat(chunks, length))
  })
}

const empty = Buffer.alloc(0)
