import { printable } from '@junctor/primitives'
/** What a value is counted as when it is not one of those that are counted by themselves. */
export const otherValue = 'other'

/** Characters of the value of a label. */
const mostCharacters = 200

/** The first so many values of a label that is not bounded by nature; each further one is `other`. */
export class BoundedValues {
  readonly #values = new Map<string, string>()
  readonly #most: number

  /** @param most how many are kept apart */
  constructor(most: number) {
    this.#most = most
  }

  /** What to count it as: a value that is long or unprintable by what can be shown of it. */
  of(value: string): string {
    const known = this.#values.get(value)
    if (known !== undefined) return known
    if (this.#values.size >= this.#most) return otherValue
    const shown = printable(value, mostCharacters)
    this.#values.set(value, shown)
    return shown
  }
}
