/** A message, `too_large`, or undefined while more parts follow. */
export type Joined = Uint8Array | 'too_large' | undefined

/** Joins the parts of consecutive messages. Of a message that is too large nothing is kept. */
export class MessageParts {
  readonly #limit: number
  #parts: Uint8Array[] = []
  #bytes = 0

  /** @param limit of a whole message, in bytes */
  constructor(limit: number) {
    this.#limit = limit
  }

  /** @param more whether another part of the same message follows */
  take(part: Uint8Array, more: boolean): Joined {
    this.#bytes += part.length
    const fits = this.#bytes <= this.#limit
    if (!fits) this.#parts = []
    else if (more || this.#parts.length > 0) this.#parts.push(part)
    if (more) return undefined
    const parts = this.#parts
    this.#parts = []
    this.#bytes = 0
    if (!fits) return 'too_large'
    return parts.length === 0 ? part : Buffer.concat(parts)
  }
}
