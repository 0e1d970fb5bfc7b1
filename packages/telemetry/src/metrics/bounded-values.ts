/** What a value is counted as when it is not one of those that are counted by themselves. */
export const otherValue = 'other'

/** The first so many values of a label that is not bounded by nature; each further one is `other`. */
export class BoundedValues {
  readonly #values = new Set<string>()
  readonly #most: number

  /** @param most how many are kept apart */
  constructor(most: number) {
    this.#most = most
  }

  /** What to count it as. */
  of(value: string): string {
    if (this.#values.has(value)) return value
    if (this.#values.size >= this.#most) return otherValue
    this.#values.add(value)
    return value
  }
}
