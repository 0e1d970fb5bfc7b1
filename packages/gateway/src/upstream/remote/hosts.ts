import type { NodeChange } from '@junctor/contracts'
import { readNodeAbout } from './node-about.ts'

/** What a change means for the backends that it is about, by their names. */
export interface HostsChange {
  /** The first node that hosts them has come. */
  readonly came: readonly string[]
  /** A node that hosted them hosts them no more; others do. */
  readonly fewer: readonly string[]
  /** The last node that hosted them has gone. */
  readonly gone: readonly string[]
}

/** Which nodes host which backends, by what they announce. */
export class Hosts {
  readonly #nodes = new Map<string, ReadonlySet<string>>()

  apply(change: NodeChange): HostsChange {
    const before = this.#nodes.get(change.node) ?? none
    const about = change.kind === 'left' ? undefined : readNodeAbout(change.about)
    // Gateways open links for themselves alone.
    const after: ReadonlySet<string> = new Set(about?.role === 'worker' ? Object.keys(about.backends) : [])
    // Until it is known what changes, `#isHosted` speaks of the other nodes.
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
