import { hash } from 'node:crypto'

/** Bytes of a block of SHA-256. */
const blockBytes = 64

/** Bytes of an HMAC-SHA-256. */
export const hmacBytes = 32

/** Longer texts and bytes get memory of their own. A hash takes no parts, and memory for each message costs as much as it. */
const scratchBytes = 65_536

/**
 * HMAC-SHA-256 (RFC 2104, section 2) under one key, as `createHmac` makes it. That one sets up the key and three objects
 * for each message. `docs/decisions/sealed-on-nats.md` has what each way takes.
 */
export class Hmac {
  readonly #scratch = Buffer.alloc(scratchBytes)
  readonly #inner: Uint8Array
  /** The key of the outer hash, and room for the inner one. */
  readonly #outer: Buffer

  constructor(key: Uint8Array) {
    const block = Buffer.alloc(blockBytes)
    block.set(key.length > blockBytes ? hash('sha256', key, 'buffer') : key)
    this.#inner = block.map((byte) => byte ^ 0x36)
    this.#outer = Buffer.concat([block.map((byte) => byte ^ 0x5c)], blockBytes + hmacBytes)
  }

  /** Of a text, as UTF-8, and the bytes behind it. */
  of(text: string, bytes: Uint8Array): Uint8Array {
    const start = blockBytes + Buffer.byteLength(text)
    const end = start + bytes.length
    const message = end > scratchBytes ? Buffer.allocUnsafe(end) : this.#scratch.subarray(0, end)
    message.set(this.#inner)
    message.write(text, blockBytes)
    message.set(bytes, start)
    // A hash as a text is cheaper than one in memory of its own.
    this.#outer.write(hash('sha256', message, 'binary'), blockBytes, 'binary')
    return Buffer.from(hash('sha256', this.#outer, 'binary'), 'binary')
  }
}
