const nothing = new Uint8Array()

/**
 * Bytes that arrive in pieces. A piece that comes alone is not copied. Others are copied into one buffer: many small ones
 * would occupy hundreds of times as much memory as their bytes.
 */
export class GatheredBytes {
  /** The only piece, or a buffer of its own whose first `#length` bytes are used. */
  #bytes: Uint8Array = nothing
  #isOwn = false
  #length = 0

  /** The number of bytes so far. */
  get length(): number {
    return this.#length
  }

  /** Adds a piece. A piece of any length is accepted: the caller knows the limit. */
  add(piece: Uint8Array): void {
    if (piece.length === 0) return
    const before = this.#length
    this.#length += piece.length
    if (before === 0) {
      this.#bytes = piece
      this.#isOwn = false
      return
    }
    if (!this.#isOwn || this.#length > this.#bytes.length) this.#grow(before)
    this.#bytes.set(piece, before)
  }

  /** Returns all bytes, and begins again with none. */
  take(): Uint8Array {
    const whole = this.#bytes.length === this.#length ? this.#bytes : this.#bytes.subarray(0, this.#length)
    this.clear()
    return whole
  }

  /** Forgets all bytes. */
  clear(): void {
    this.#bytes = nothing
    this.#isOwn = false
    this.#length = 0
  }

  /** Doubling keeps the cost of copying linear. */
  #grow(used: number): void {
    const larger = new Uint8Array(2 * this.#length)
    larger.set(this.#bytes.subarray(0, used))
    this.#bytes = larger
    this.#isOwn = true
  }
}
