/** Lines that wait to be written, within a bound: when it is full, the oldest are dropped. */
export class LineQueue {
  readonly #most: number
  readonly #lines: string[] = []
  /** Lines before this one were taken or dropped. */
  #first = 0
  #characters = 0
  #dropped = 0

  /** @param most the maximum number of waiting characters */
  constructor(most: number) {
    this.#most = most
  }

  get isEmpty(): boolean {
    return this.#first === this.#lines.length
  }

  /** The number of dropped lines. */
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
    // Without a reader, dropped lines would otherwise stay in the array forever.
    if (this.#first > 1000 && this.#first * 2 > this.#lines.length) {
      this.#lines.splice(0, this.#first)
      this.#first = 0
    }
  }

  /** Removes and returns all waiting lines, oldest first. */
  take(): readonly string[] {
    const taken = this.#lines.splice(0).slice(this.#first)
    this.#first = 0
    this.#characters = 0
    return taken
  }
}
