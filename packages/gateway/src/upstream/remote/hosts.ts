import type { NodeChange } from '@junctor/contracts'
import { aboutIn } from './node-about.ts'

/** The effect of a change on backends, by their names. */
export interface HostsChange {
  /** Backends whose first host has appeared. */
  readonly came: readonly string[]
  /** Backends that have lost a host, but still have another. */
  readonly fewer: readonly string[]
  /** Backends whose last host has disappeared. */
  readonly gone: readonly string[]
}

/** Which nodes host which backends, from their announcements. */
export class Hosts {
  readonly #nodes = new Map<string, ReadonlySet<string>>()

  apply(change: NodeChange): HostsChange {
    const before = this.#nodes.get(change.node) ?? none
    const about = aboutIn(change)
    // Gateways open links only for themselves.
    const after: ReadonlySet<string> = new Set(about?.role === 'worker' ? Object.keys(about.backends) : [])
    // Until the change is computed, `#isHosted` looks at the other nodes only.
    this.#nodes.delete(change.node)
    const lost = [...before].filter((backend) => !after.has(backend))
    const result = {
      came: [...after].filter((backend) => !before.has(backend) && !this.#isHosted(backend)),
      fewer: lost.filter((backend) => this.#isHosted(backend)),
      gone: lost.filter((backend) => !this.#isHosted(backend)),
    }
    if (after.size > 0) this.#nodes.set(change.node, after)
    return result
  }

  #isHosted(backend: string): boolean {
    return [...this.#nodes.values()].some((backends) => backends.has(backend))
  }
}

const none: ReadonlySet<string> = new Set()
