/** The part of the node's time that one process may take with what it sends. */
const share = 0.1

/** How much it may take at once, in milliseconds. */
const burstMs = 2

/**
 * Keeps a process that sends without end from taking the node's whole time: when its frames have taken more than a share
 * of the time, its pipe is not read for a while. Only the callers of that process wait.
 */
export class ReadShare {
  #owedMs = 0
  #at: number

  /** @param now milliseconds, monotonic */
  constructor(now: number) {
    this.#at = now
  }

  /** Counts time that handling took. Returns how long to read nothing, in milliseconds; 0: read on. */
  spend(ms: number, now: number): number {
    this.#owedMs = Math.max(0, this.#owedMs - (now - this.#at) * share) + ms
    this.#at = now
    return this.#owedMs <= burstMs ? 0 : (this.#owedMs - burstMs) / share
  }
}
