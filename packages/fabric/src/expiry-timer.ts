/** Something whose content expires. */
export interface Expiring {
  /** Lets go of what has expired. Returns when to look again, in epoch milliseconds; undefined: nothing waits. */
  expire(now: number): number | undefined
}

/** The longest delay that a timer takes, in milliseconds. */
const longestDelayMs = 2 ** 31 - 1

/** One timer for everything on a bus that expires. It runs only while something waits, and holds no process open. */
export class ExpiryTimer {
  readonly now: () => number
  readonly #parts = new Set<Expiring>()
  #timer: NodeJS.Timeout | undefined
  #at = Infinity

  /** @param now epoch milliseconds */
  constructor(now: () => number) {
    this.now = now
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
    for (const part of this.#parts) next = Math.min(next, part.expire(now) ?? Infinity)
    if (next < Infinity) this.wake(next)
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#at = Infinity
  }
}
