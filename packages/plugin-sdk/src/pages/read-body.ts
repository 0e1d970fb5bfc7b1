import type { IncomingMessage } from 'node:http'

/** Reads the body of a request. `undefined`: it is too large. */
export async function readBody(request: IncomingMessage, mostBytes: number): Promise<string | undefined> {
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of request as AsyncIterable<Buffer>) {
    size += piece.length
    if (size > mostBytes) return undefined
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString('utf8')
}
