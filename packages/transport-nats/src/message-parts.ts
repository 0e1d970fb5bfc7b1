import { GatheredBytes } from '@junctor/primitives'

/** A message, `too_large`, or undefined while more parts follow. */
export type Joined = Uint8Array | 'too_large' | undefined

/** Joins the parts of consecutive messages. Of a message that is too large nothing is kept. */
export class MessageParts {
  readonly #limit: number
  readonly #gathered = new GatheredBytes()
  #bytes = 0

  /** @param limit of a whole message, in bytes */
  constructor(limit: number) {
    this.#limit = limit
  }

  /** @param more whether another part of the same message follows */
  take(part: Uint8Array, more: boolean): Joined {
    this.#bytes += part.length
    const fits = this.#bytes <= this.#limit
    if (fits) this.#gathered.add(part)
    else this.#gathered.clear()
    if (more) return undefined
    this.#bytes = 0
    return fits ? this.#gathered.take() : 'too_large'
  }
}
