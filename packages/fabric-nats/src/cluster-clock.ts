/** A difference that is smaller, in milliseconds, is left: what it is measured by takes time, and clocks are to go on evenly. */
const leftMs = 1_000

/**
 * The time that all nodes of a cluster take it to be: the clock here, put right by what the server stores. Else a node whose
 * clock is wrong would take what others store for expired, or give it more time than it has.
 */
export class ClusterClock {
  readonly #local: () => number
  #aheadMs = 0

  /** @param local epoch milliseconds, by the clock here */
  constructor(local: () => number) {
    this.#local = local
  }

  /** Epoch milliseconds, by the clock here. */
  get local(): number {
    return this.#local()
  }

  /** Epoch milliseconds. */
  readonly now = (): number => this.#local() + this.#aheadMs

  /**
   * The server's clock said `at` at some moment between these two of the clock here. All are epoch milliseconds.
   *
   * @param at how precise the server's is does not matter: a second is left anyway
   */
  measured(at: number, from: number, until: number): void {
    if (!Number.isFinite(at)) return
    const aheadMs = at - (from + until) / 2
    if (Math.abs(aheadMs - this.#aheadMs) >= leftMs + (until - from) / 2) this.#aheadMs = aheadMs
  }
}
