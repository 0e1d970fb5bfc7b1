/** A message, `too_large`, or undefined while more parts follow. */
export type Joined = Uint8Array | 'too_large' | undefined

/** Joins the parts of consecutive messages. Of a message that is too large nothing is kept. */
export class MessageParts {
  readonly #limit: number
  /** Holds the parts that have come. They are copied: many small ones would occupy far more than their bytes. */
  #joined: Uint8Array = new Uint8Array()
  #bytes = 0

  /** @param limit of a whole message, in bytes */
  constructor(limit: number) {
    this.#limit = limit
  }

  /** @param more whether another part of the same message follows */
  take(part: Uint8Array, more: boolean): Joined {
    const before = this.#bytes
    if (before === 0 && !more) return part.length > this.#limit ? 'too_large' : part
    this.#bytes += part.length
    const fits = this.#bytes <= this.#limit
    if (fits) this.#copy(part, before)
    else this.#joined = new Uint8Array()
    if (more) return undefined
    const joined = this.#joined.subarray(0, this.#bytes)
    this.#joined = new Uint8Array()
    this.#bytes = 0
    return fits ? joined : 'too_large'
  }

  #copy(part: Uint8Array, at: number): void {
    if (this.#bytes > this.#joined.length) {
      const larger = new Uint8Array(Math.min(this.#limit, 2 * this.#bytes))
      larger.set(this.#joined)
      this.#joined = larger
    }
    this.#joined.set(part, at)
  }
}
