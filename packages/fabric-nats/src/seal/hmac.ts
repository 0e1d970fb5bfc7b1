import { hash } from 'node:crypto'

/** The block size of SHA-256 in bytes. */
const blockBytes = 64

/** The size of an HMAC-SHA-256 in bytes. */
export const hmacBytes = 32

/**
 * Larger inputs get their own memory. A hash takes one buffer, and allocating it for each message costs as much as the
 * hash.
 */
const scratchBytes = 65_536

/**
 * HMAC-SHA-256 (RFC 2104, section 2) under one key, with the same result as `createHmac`. `createHmac` prepares the key
 * and creates three objects for each message. `docs/decisions/sealed-on-nats.md` has the measurements of both.
 */
export class Hmac {
  readonly #scratch = Buffer.alloc(scratchBytes)
  readonly #inner: Uint8Array
  /** The key of the outer hash, and space for the inner hash. */
  readonly #outer: Buffer

  constructor(key: Uint8Array) {
    const block = Buffer.alloc(blockBytes)
    block.set(key.length > blockBytes ? hash('sha256', key, 'buffer') : key)
    this.#inner = block.map((byte) => byte ^ 0x36)
    this.#outer = Buffer.concat([block.map((byte) => byte ^ 0x5c)], blockBytes + hmacBytes)
  }

  /** The HMAC of a text, as UTF-8, followed by the bytes. */
  of(text: string, bytes: Uint8Array): Uint8Array {
    const start = blockBytes + Buffer.byteLength(text)
    const end = start + bytes.length
    const message = end > scratchBytes ? Buffer.allocUnsafe(end) : this.#scratch.subarray(0, end)
    message.set(this.#inner)
    message.write(text, blockBytes)
    message.set(bytes, start)
    // A hash as a string is cheaper than one in its own buffer.
    this.#outer.write(hash('sha256', message, 'binary'), blockBytes, 'binary')
    return Buffer.from(hash('sha256', this.#outer, 'binary'), 'binary')
  }
}
