import { keptOr } from './kept-or.ts'

/** The interval, in milliseconds: a log can bear this. */
const everyMs = 60_000

/** Events of one kind. */
interface Paced {
  /** When their count was last reported, by the monotonic clock. */
  reportedAt: number
  /** How many came since. */
  count: number
}

/**
 * Counts events that may come in masses, by kind, and decides when the count of a kind is reported: at its first event,
 * and then once a minute, when the next event comes.
 */
export class PacedCounts<Kind> {
  readonly #kinds = new Map<Kind, Paced>()

  /**
   * Counts one event.
   *
   * @returns the events of this kind since the last report, this one included, when they are to be reported now
   */
  add(kind: Kind): number | undefined {
    const now = performance.now()
    const paced = keptOr(this.#kinds, kind, () => ({ reportedAt: -Infinity, count: 0 }))
    paced.count += 1
    if (now - paced.reportedAt < everyMs) return undefined
    const { count } = paced
    paced.reportedAt = now
    paced.count = 0
    return count
  }
}
