import { printable } from '@junctor/primitives'

/** The value that replaces all values that are not counted separately. */
export const otherValue = 'other'

/** The maximum length of a label value, in characters. */
const mostCharacters = 200

/** The first values of an unbounded label, up to a maximum number; every further value becomes `other`. */
export class BoundedValues {
  readonly #values = new Map<string, string>()
  readonly #most: number

  /** @param most the number of values that are counted separately */
  constructor(most: number) {
    this.#most = most
  }

  /** Returns the label value. A long or unprintable value is shortened or escaped. */
  of(value: string): string {
    const known = this.#values.get(value)
    if (known !== undefined) return known
    if (this.#values.size >= this.#most) return otherValue
    const shown = printable(value, mostCharacters)
    this.#values.set(value, shown)
    return shown
  }
}
