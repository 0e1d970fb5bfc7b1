/** Lines that wait to be written, within a bound: when it is full the oldest make room. */
export class LineQueue {
  readonly #most: number
  readonly #lines: string[] = []
  /** Lines before this one are taken or dropped. */
  #first = 0
  #characters = 0
  #dropped = 0

  /** @param most characters that wait at once */
  constructor(most: number) {
    this.#most = most
  }

  get isEmpty(): boolean {
    return this.#first === this.#lines.length
  }

  /** How many lines there were, and how many of them are lost. */
  get dropped(): number {
    return this.#dropped
  }

  push(line: string): void {
    this.#lines.push(line)
    this.#characters += line.length
    while (this.#characters > this.#most) {
      this.#characters -= (this.#lines[this.#first] as string).length
      this.#lines[this.#first] = ''
      this.#first += 1
      this.#dropped += 1
    }
    // Those that are gone would be carried along for ever where nothing is taken.
    if (this.#first > 1000 && this.#first * 2 > this.#lines.length) {
      this.#lines.splice(0, this.#first)
      this.#first = 0
    }
  }

  /** All that wait, oldest first. */
  take(): readonly string[] {
    const taken = this.#lines.splice(0).slice(this.#first)
    this.#first = 0
    this.#characters = 0
    return taken
  }
}
