/** One HTTP response, taken from the bytes of a connection. */
export interface HttpResponse {
  readonly status: number
  /** The text up to the empty line. */
  readonly head: string
  /** The body; of a stream of events, the data of its last event. */
  readonly body: string
}

/** Collects the bytes of a kept-alive connection that has one request in flight at a time. */
export class HttpResponseReader {
  #chunks: Buffer[] = []
  #length = 0
  /** The least number of bytes of a complete response. */
  #needed = 0

  /** The response that is complete with this chunk, if one is. */
  push(chunk: Buffer): HttpResponse | undefined {
    this.#chunks.push(chunk)
    this.#length += chunk.length
    if (this.#length < this.#needed) return undefined
    const bytes = this.#chunks.length === 1 ? chunk : Buffer.concat(this.#chunks)
    const read = readResponse(bytes)
    if (typeof read === 'number') {
      this.#chunks = [bytes]
      this.#needed = read
      return undefined
    }
    this.#chunks = []
    this.#length = 0
    this.#needed = 0
    return read
  }
}

/** The response in the bytes, or how many bytes it needs at least. */
function readResponse(bytes: Buffer): HttpResponse | number {
  const headEnd = bytes.indexOf('\r\n\r\n')
  if (headEnd === -1) return bytes.length + 1
  const head = bytes.toString('latin1', 0, headEnd)
  const status = Number(head.slice(9, 12))
  const start = headEnd + 4
  if (/\r\ntransfer-encoding: *chunked/i.test(head)) {
    const body = joinChunks(bytes, start)
    return body === undefined ? bytes.length + 1 : { status, head, body: lastEvent(body) }
  }
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? '0'
  const end = start + Number(length)
  return bytes.length < end ? end : { status, head, body: bytes.toString('utf8', start, end) }
}

/** The body in the chunks from `start` on, once the empty chunk that ends it has arrived. */
function joinChunks(bytes: Buffer, start: number): string | undefined {
  const pieces: Buffer[] = []
  let at = start
  for (;;) {
    const lineEnd = bytes.indexOf('\r\n', at)
    if (lineEnd === -1) return undefined
    const size = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16)
    const next = lineEnd + 2 + size + 2
    if (next > bytes.length) return undefined
    if (size === 0) return Buffer.concat(pieces).toString()
    pieces.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size))
    at = next
  }
}

/** A slow answer arrives as a stream; the answer is its last event with data. */
function lastEvent(body: string): string {
  const line = body.split('\n').findLast((candidate) => candidate.startsWith('data: {'))
  return line?.slice('data: '.length) ?? body
}
