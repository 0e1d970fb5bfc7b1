import type { Receiver } from './node-bus.ts'

/** So many times in a row the server has to say that nobody is there: a node that connects again is away for a moment. */
const misses = 3

/** Looks whether a node is there, by what the server says. A node that is merely slow is there. */
export class Probe implements Receiver {
  readonly #lost: () => void
  #missed = 0

  /** @param lost told when the node is not there */
  constructor(lost: () => void) {
    this.#lost = lost
  }

  receive(): void {
    this.#missed = 0
  }

  nobody(): void {
    this.#missed += 1
    if (this.#missed === misses) this.#lost()
  }
}
