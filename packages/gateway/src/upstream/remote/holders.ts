import type { NodeChange } from '@junctor/contracts'
import { readNodeAbout } from './node-about.ts'

/** What a change means for the backends that it is about, by their names. */
export interface HoldersChange {
  /** The first node that holds them has come. */
  readonly came: readonly string[]
  /** A node that held them holds them no more; others do. */
  readonly fewer: readonly string[]
  /** The last node that held them has gone. */
  readonly gone: readonly string[]
}

/** Which nodes hold which backends, by what they announce. */
export class Holders {
  readonly #nodes = new Map<string, ReadonlySet<string>>()

  apply(change: NodeChange): HoldersChange {
    const before = this.#nodes.get(change.node) ?? none
    const about = change.kind === 'left' ? undefined : readNodeAbout(change.about)
    // Gateways hold backends for themselves alone.
    const after: ReadonlySet<string> = new Set(about?.role === 'worker' ? Object.keys(about.backends) : [])
    // Until it is known what changes, `#isHeld` speaks of the others.
    this.#nodes.delete(change.node)
    const lost = [...before].filter((backend) => !after.has(backend))
    const result = {
      came: [...after].filter((backend) => !before.has(backend) && !this.#isHeld(backend)),
      fewer: lost.filter((backend) => this.#isHeld(backend)),
      gone: lost.filter((backend) => !this.#isHeld(backend)),
    }
    if (after.size > 0) this.#nodes.set(change.node, after)
    return result
  }

  #isHeld(backend: string): boolean {
    return [...this.#nodes.values()].some((backends) => backends.has(backend))
  }
}

const none: ReadonlySet<string> = new Set()
