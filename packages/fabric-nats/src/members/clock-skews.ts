import type { Log } from '@junctor/contracts'
import { keptOr } from '@junctor/primitives'

/** How many of the last messages of each node are compared: the fastest one is the most precise. */
const samples = 5

/** From this difference on a warning is logged, in milliseconds: times from one node are compared on others. */
const warnMs = 5_000

/** How far the clocks of other nodes are ahead of this node's clock, measured by the times in their messages. */
export class ClockSkews {
  readonly now: () => number
  readonly #log: Log
  readonly #differences = new Map<string, number[]>()
  readonly #warned = new Set<string>()

  /** @param now returns epoch milliseconds */
  constructor(log: Log, now: () => number) {
    this.#log = log
    this.now = now
  }

  /** In milliseconds, by node; negative when a clock is behind. Too low by the shortest travel time of a message. */
  get aheadMs(): Readonly<Record<string, number>> {
    return Object.fromEntries(Array.from(this.#differences, ([node, differences]) => [node, Math.max(...differences)]))
  }

  /** Records the time of a node, in epoch milliseconds. */
  record(node: string, time: number): void {
    const differences = keptOr(this.#differences, node, () => [])
    differences.push(time - this.now())
    if (differences.length < samples) return
    if (differences.length > samples) differences.shift()
    const aheadMs = Math.max(...differences)
    if (Math.abs(aheadMs) < warnMs) this.#warned.delete(node)
    else if (!this.#warned.has(node)) {
      this.#warned.add(node)
      this.#log.warn('the clock of another node differs from the one here', { node, aheadMs })
    }
  }

  forget(node: string): void {
    this.#differences.delete(node)
    this.#warned.delete(node)
  }
}
