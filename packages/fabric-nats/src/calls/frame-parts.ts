import { frameLimit } from '@junctor/fabric/wire'
import { decodeUtf8 } from '@junctor/jsonrpc'

/** The header before the text of each message: its number (4 bytes) and its kind (1 byte). */
export const partHeadBytes = 5

/** The message ends a frame. */
const ends = 0
/** The frame continues in the next message. */
const goesOn = 1
/** Not a part of a frame: the number is that of the last message. */
const marks = 2

/** Splits frames into messages of a size that the server allows, numbered from 1. */
export class FrameWriter {
  readonly #textBytes: number
  #count = 0

  /** @param messageBytes the largest message, at least 64 */
  constructor(messageBytes: number) {
    this.#textBytes = messageBytes - partHeadBytes
  }

  /** The messages of a frame; undefined when it is larger than {@link frameLimit}, and then no number was used. */
  write(text: string): Uint8Array[] | undefined {
    const bytes = Buffer.byteLength(text)
    if (bytes > frameLimit) return undefined
    if (bytes > this.#textBytes) return this.#parts(Buffer.from(text))
    const message = this.#message(bytes, ends)
    message.write(text, partHeadBytes)
    return [message]
  }

  /**
   * A message with the number of the last message, so that a receiver with a smaller number learns of a loss. It has no
   * number of its own: its loss does no harm.
   */
  mark(): Uint8Array {
    return this.#numbered(0, marks)
  }

  #parts(text: Buffer): Uint8Array[] {
    const messages: Uint8Array[] = []
    for (let at = 0; at < text.length; at += this.#textBytes) {
      const part = text.subarray(at, at + this.#textBytes)
      const message = this.#message(part.length, at + this.#textBytes < text.length ? goesOn : ends)
      message.set(part, partHeadBytes)
      messages.push(message)
    }
    return messages
  }

  /** A message with its header, and space for its text. */
  #message(textBytes: number, what: number): Buffer {
    this.#count += 1
    return this.#numbered(textBytes, what)
  }

  #numbered(textBytes: number, what: number): Buffer {
    const message = Buffer.allocUnsafe(partHeadBytes + textBytes)
    message.writeUInt32BE(this.#count % 0x1_0000_0000, 0)
    message.writeUInt8(what, 4)
    return message
  }
}

/**
 * The result of a message: a frame, a part of one, nothing new, or proof that an earlier message was or was not lost.
 */
export type Arrival =
  | { readonly kind: 'frame'; readonly text: string; readonly bytes: number }
  | { readonly kind: 'part' }
  | { readonly kind: 'marked' }
  | { readonly kind: 'repeated' }
  | { readonly kind: 'broken' }

/** Joins messages to frames. Core NATS may lose messages while a connection is lost, without a report. */
export class FrameReader {
  #count = 0
  /** The parts of a frame that continues. */
  #parts: Uint8Array[] = []
  #bytes = 0

  /** Reads a message. After `broken` every result is `broken`. */
  read(message: Uint8Array): Arrival {
    if (message.length < partHeadBytes) return { kind: 'broken' }
    const count = numberOf(message)
    const ahead = (count - this.#count) >>> 0
    const isMark = message[4] === marks
    if (isMark && ahead === 0) return { kind: 'marked' }
    if (ahead === 0 || ahead > 0x7fff_ffff) return { kind: 'repeated' }
    if (ahead > 1 || isMark) return { kind: 'broken' }
    this.#count = count
    const part = message.subarray(partHeadBytes)
    if (message[4] === ends) return this.#parts.length === 0 ? arrived(part) : this.#last(part)
    this.#parts.push(part)
    this.#bytes += part.length
    return this.#bytes > frameLimit ? { kind: 'broken' } : { kind: 'part' }
  }

  #last(part: Uint8Array): Arrival {
    const frame = Buffer.concat([...this.#parts, part])
    this.#parts = []
    this.#bytes = 0
    return arrived(frame)
  }
}

function arrived(frame: Uint8Array): Arrival {
  const text = frame.length > frameLimit ? undefined : decodeUtf8(frame)
  return text === undefined ? { kind: 'broken' } : { kind: 'frame', text, bytes: frame.length }
}

/** The first four bytes as a number. A DataView would take longer than everything else here. */
function numberOf(message: Uint8Array): number {
  let number = 0
  for (let at = 0; at < 4; at += 1) number = (number << 8) | (message[at] ?? 0)
  return number >>> 0
}
