import type { Log } from '@junctor/contracts'

/** Of each node so many of its last words are compared: the one that came fastest tells best. */
const samples = 5

/** From here on a difference is logged, in milliseconds: what is dated on one node is judged on others. */
const warnMs = 5_000

/** How far the clocks of other nodes are ahead of this one's, by what they say of the time. */
export class ClockSkews {
  readonly now: () => number
  readonly #log: Log
  readonly #heard = new Map<string, number[]>()
  readonly #warned = new Set<string>()

  /** @param now epoch milliseconds */
  constructor(log: Log, now: () => number) {
    this.#log = log
    this.now = now
  }

  /** In milliseconds, by node; below zero: it is behind. Too low by what a message takes at least. */
  get aheadMs(): Readonly<Record<string, number>> {
    return Object.fromEntries(Array.from(this.#heard, ([node, heard]) => [node, Math.max(...heard)]))
  }

  /** A node says what time it is, in epoch milliseconds. */
  hear(node: string, said: number): void {
    const heard = this.#heard.get(node) ?? []
    this.#heard.set(node, heard)
    heard.push(said - this.now())
    if (heard.length < samples) return
    if (heard.length > samples) heard.shift()
    const aheadMs = Math.max(...heard)
    if (Math.abs(aheadMs) < warnMs) this.#warned.delete(node)
    else if (!this.#warned.has(node)) {
      this.#warned.add(node)
      this.#log.warn('the clock of another node differs from the one here', { node, aheadMs })
    }
  }

  forget(node: string): void {
    this.#heard.delete(node)
    this.#warned.delete(node)
  }
}
