import type { ErrorReporter } from '@junctor/contracts'

/** A container whose content expires. */
export interface Expiring {
  /**
   * Removes what has expired. Returns the time of the next check, in epoch milliseconds; undefined when none is needed.
   */
  expire(now: number): number | undefined
}

/** How soon an item that threw is checked again, in milliseconds. */
const againMs = 1_000

/** The longest delay that a timer accepts, in milliseconds. */
const longestDelayMs = 2 ** 31 - 1

/**
 * One timer for everything on a bus that expires. It runs only while it is needed, and does not keep the process alive.
 */
export class ExpiryTimer {
  readonly now: () => number
  readonly #parts = new Set<Expiring>()
  #timer: NodeJS.Timeout | undefined
  #at = Infinity
  readonly #reportError: ErrorReporter

  /**
   * @param now returns epoch milliseconds
   * @param reportError called when a part throws in its check; the other parts are checked anyway
   */
  constructor(now: () => number, reportError: ErrorReporter) {
    this.now = now
    this.#reportError = reportError
  }

  /** Whether a timer is active. */
  get running(): boolean {
    return this.#timer !== undefined
  }

  add(part: Expiring): void {
    this.#parts.add(part)
  }

  /** Schedules a check of all parts at this time or earlier. */
  wake(at: number): void {
    if (at >= this.#at) return
    this.stop()
    this.#at = at
    this.#timer = setTimeout(() => this.look(), Math.min(Math.max(at - this.now(), 1), longestDelayMs)).unref()
  }

  /** Checks all parts now, and again when necessary. */
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
      this.#reportError('timer', error)
      return now + againMs
    }
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#at = Infinity
  }
}
