/** A smaller difference, in milliseconds, is ignored: measurements take time, and the clock should advance evenly. */
const leftMs = 1_000

/**
 * The common time of a cluster: the local clock, corrected by the time at which the server stores messages. Without the
 * correction a node with a wrong clock would treat records of others as expired, or as valid for too long.
 */
export class ClusterClock {
  readonly #local: () => number
  #aheadMs = 0

  /** @param local returns epoch milliseconds by the local clock */
  constructor(local: () => number) {
    this.#local = local
  }

  /** Epoch milliseconds by the local clock. */
  get local(): number {
    return this.#local()
  }

  /** Epoch milliseconds. */
  readonly now = (): number => this.#local() + this.#aheadMs

  /**
   * Records that the server's clock showed `at` at a moment between two times of the local clock. All in epoch
   * milliseconds.
   *
   * @param at need not be precise: differences up to a second are ignored
   */
  measured(at: number, from: number, until: number): void {
    if (!Number.isFinite(at)) return
    const aheadMs = at - (from + until) / 2
    if (Math.abs(aheadMs - this.#aheadMs) >= leftMs + (until - from) / 2) this.#aheadMs = aheadMs
  }
}
