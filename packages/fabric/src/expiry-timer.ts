import type { Caught } from '@junctor/contracts'

/** Something whose content expires. */
export interface Expiring {
  /** Lets go of what has expired. Returns when to look again, in epoch milliseconds; undefined: nothing waits. */
  expire(now: number): number | undefined
}

/** When what threw is looked at again, in milliseconds. */
const againMs = 1_000

/** The longest delay that a timer takes, in milliseconds. */
const longestDelayMs = 2 ** 31 - 1

/** One timer for everything on a bus that expires. It runs only while something waits, and holds no process open. */
export class ExpiryTimer {
  readonly now: () => number
  readonly #parts = new Set<Expiring>()
  #timer: NodeJS.Timeout | undefined
  #at = Infinity
  readonly #caught: Caught

  /**
   * @param now epoch milliseconds
   * @param caught told of what throws when it is looked at; the others are looked at, too
   */
  constructor(now: () => number, caught: Caught) {
    this.now = now
    this.#caught = caught
  }

  /** Whether a timer runs. */
  get running(): boolean {
    return this.#timer !== undefined
  }

  add(part: Expiring): void {
    this.#parts.add(part)
  }

  /** Looks at everything no later than then. */
  wake(at: number): void {
    if (at >= this.#at) return
    this.stop()
    this.#at = at
    this.#timer = setTimeout(() => this.look(), Math.min(Math.max(at - this.now(), 1), longestDelayMs)).unref()
  }

  /** Looks at everything now, and again when it is time. */
  look(): void {
    this.stop()
    const now = this.now()
    let next = Infinity
    for (const part of this.#parts) next = Math.min(next, this.#expire(part, now))
    if (next < Infinity) this.wake(next)
  }

  #expire(part: Expiring, now: number): number {
    try {
      return part.expire(now) ?? Infinity
    } catch (error) {
      this.#caught('timer', error)
      return now + againMs
    }
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#at = Infinity
  }
}
