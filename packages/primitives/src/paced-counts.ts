/** Events of one kind. */
interface Paced {
  /** When their count was last reported, by the caller's clock. */
  reportedAt: number
  /** How many came since. */
  count: number
}

/**
 * Counts events that may come in masses, by kind, and decides when the count of a kind is reported: at its first event,
 * and then once per interval, when the next event comes.
 */
export class PacedCounts<Kind> {
  readonly #everyMs: number
  readonly #kinds = new Map<Kind, Paced>()

  /** @param everyMs the interval, in milliseconds. Default: a minute, which a log can bear. */
  constructor(everyMs = 60_000) {
    this.#everyMs = everyMs
  }

  /**
   * Counts one event.
   *
   * @param now milliseconds, monotonic
   * @returns the events of this kind since the last report, this one included, when they are to be reported now
   */
  add(kind: Kind, now: number): number | undefined {
    const paced = this.#kinds.get(kind) ?? { reportedAt: -Infinity, count: 0 }
    this.#kinds.set(kind, paced)
    paced.count += 1
    if (now - paced.reportedAt < this.#everyMs) return undefined
    const { count } = paced
    paced.reportedAt = now
    paced.count = 0
    return count
  }
}
