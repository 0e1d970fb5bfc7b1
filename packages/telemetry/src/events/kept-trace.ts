/** Hexadecimal digits of a W3C trace id. */
const idDigits = 32

/**
 * A trace id, kept as its digits. The text of each request is a new one: when the last ten thousand are kept, each
 * outlives some collections of young objects, which then take ten times as long, in a heap that grows for their sake.
 */
export class KeptTrace {
  readonly #digits = Buffer.allocUnsafe(idDigits)
  #isKnown = false

  /** Undefined: what is kept has none. */
  get id(): string | undefined {
    return this.#isKnown ? this.#digits.toString('latin1') : undefined
  }

  /** @param id 32 hexadecimal digits */
  keep(id: string | undefined): void {
    this.#isKnown = id !== undefined
    if (id !== undefined) this.#digits.write(id, 0, idDigits, 'latin1')
  }
}
