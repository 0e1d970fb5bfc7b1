/** The first byte of a text in a single frame. */
const wholeText = 0x81

/**
 * A text as one frame of a client (RFC 6455 section 5.2). A client must mask its frames; the zero mask used here costs
 * the server as much as any other.
 */
export function encodeFrame(text: string): Uint8Array {
  const payload = Buffer.from(text)
  const head =
    payload.length < 126
      ? Buffer.from([wholeText, 0x80 | payload.length])
      : Buffer.from([wholeText, 0x80 | 126, payload.length >> 8, payload.length & 0xff])
  return Buffer.concat([head, Buffer.alloc(4), payload])
}

/** Splits the bytes of a connection into the texts of its frames. */
export class FrameReader {
  #rest: Buffer = Buffer.alloc(0)

  /** Calls `text` with each completed text. Throws for a frame that is neither a whole text nor a ping. */
  push(chunk: Buffer, text: (text: string) => void): void {
    let bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    for (let frame = readFrame(bytes); frame !== undefined; frame = readFrame(bytes)) {
      const [start, end] = frame
      const first = bytes[0]
      if (first === wholeText) text(bytes.toString('utf8', start, end))
      else if (first !== 0x89) throw new Error(`expected a text in one frame, got one that begins with ${first}`)
      bytes = bytes.subarray(end)
    }
    this.#rest = bytes
  }
}

/** Where the payload of the first frame begins and ends; undefined while it is not complete. */
function readFrame(bytes: Buffer): readonly [number, number] | undefined {
  const short = bytes[1]
  if (short === undefined) return undefined
  const start = short < 126 ? 2 : short === 126 ? 4 : 10
  if (bytes.length < start) return undefined
  const length = short < 126 ? short : short === 126 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2))
  return bytes.length < start + length ? undefined : [start, start + length]
}
