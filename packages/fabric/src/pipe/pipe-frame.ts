import { frameLimit } from '../wire/frame-limit.ts'

/** What a frame on a pipe is. */
export const frameKinds = {
  /** The first frame of a call, to its holder. */
  opening: 0,
  /** A frame of the caller. */
  toHolder: 1,
  /** A frame of the holder. */
  toCaller: 2,
  /** A message that belongs to no call. */
  control: 3,
} as const

/** A kind of frame, as it is written. */
export type FrameKind = (typeof frameKinds)[keyof typeof frameKinds]

/** One frame on a pipe. */
export interface PipeFrame {
  /** One of {@link frameKinds}, or what only a faulty end sends. */
  readonly kind: number
  /** The number that the caller has given the call. */
  readonly call: number
  readonly text: string
  /** The size of the text in bytes. */
  readonly bytes: number
}

/** Before the text: the number of bytes that follow (4), the kind (1), the call (4). */
const lengthBytes = 4
const headBytes = 5

/** A frame as bytes; undefined when its text is larger than `frameLimit`. */
export function printPipeFrame(kind: FrameKind, call: number, text: string): Buffer | undefined {
  const bytes = Buffer.byteLength(text)
  if (bytes > frameLimit) return undefined
  const frame = Buffer.allocUnsafe(lengthBytes + headBytes + bytes)
  frame.writeUInt32BE(headBytes + bytes, 0)
  frame[lengthBytes] = kind
  frame.writeUInt32BE(call, lengthBytes + 1)
  frame.write(text, lengthBytes + headBytes)
  return frame
}

/** Splits the bytes of a pipe into frames. */
export class PipeFrameReader {
  #parts: Buffer[] = []
  #bytes = 0
  /** How many bytes are needed before there is something to read. */
  #needed = lengthBytes

  /**
   * Takes the next bytes, and returns the frames that are complete now.
   *
   * @throws RangeError when the other end writes something else
   */
  push(chunk: Buffer): readonly PipeFrame[] {
    this.#parts.push(chunk)
    this.#bytes += chunk.length
    if (this.#bytes < this.#needed) return []
    const all = this.#parts.length === 1 ? chunk : Buffer.concat(this.#parts)
    const frames: PipeFrame[] = []
    let at = 0
    for (;;) {
      const left = all.length - at
      const size = left < lengthBytes ? 0 : all.readUInt32BE(at)
      this.#needed = left < lengthBytes ? lengthBytes : lengthBytes + size
      if (left >= lengthBytes && (size < headBytes || size > headBytes + frameLimit)) {
        throw new RangeError(`expected a frame of ${headBytes} bytes to 32 MiB, got ${size} bytes`)
      }
      if (left < this.#needed) break
      frames.push(frameAt(all, at + lengthBytes, size))
      at += this.#needed
    }
    this.#parts = at === all.length ? [] : [all.subarray(at)]
    this.#bytes = all.length - at
    return frames
  }
}

function frameAt(all: Buffer, at: number, size: number): PipeFrame {
  const end = at + size
  const text = all.toString('utf8', at + headBytes, end)
  return { kind: all[at] ?? -1, call: all.readUInt32BE(at + 1), text, bytes: size - headBytes }
}
