import { isDeepStrictEqual } from 'node:util'
import type { JsonObject } from '@junctor/jsonrpc'

/** Nodes tell that they are there this often. */
export const aliveEveryMs = 2_000

/** A node that was silent for this long has left: three times it was not heard. */
export const silentMs: number = 3 * aliveEveryMs

/** A node that is heard joins, is known already, says something else of itself, or has been started again since. */
export type Heard = 'joined' | 'known' | 'changed' | 'replaced'

interface Entry {
  readonly incarnation: string
  about: JsonObject
  heardAt: number
}

/** Which other nodes are there, by what was heard of them. */
export class NodeTable {
  readonly #entries = new Map<string, Entry>()

  /** Each, and what it says of itself. */
  get nodes(): readonly (readonly [node: string, about: JsonObject])[] {
    return Array.from(this.#entries, ([node, { about }]) => [node, about] as const)
  }

  get size(): number {
    return this.#entries.size
  }

  /**
   * A node is there.
   *
   * @param incarnation differs each time a node of this name is started
   * @param now milliseconds on a clock of the caller's choice
   */
  alive(node: string, incarnation: string, about: JsonObject, now: number): Heard {
    const known = this.#entries.get(node)
    if (known?.incarnation === incarnation) {
      known.heardAt = now
      if (isDeepStrictEqual(known.about, about)) return 'known'
      known.about = about
      return 'changed'
    }
    this.#entries.set(node, { incarnation, about, heardAt: now })
    return known === undefined ? 'joined' : 'replaced'
  }

  /** A node has left, by what it said or by what the server knows. False: it was not there. */
  left(node: string): boolean {
    return this.#entries.delete(node)
  }

  /** Nobody could be heard until now: all get the time again in which to say that they are there. */
  refresh(now: number): void {
    for (const entry of this.#entries.values()) entry.heardAt = now
  }

  /** Removes the nodes that have been silent for too long. */
  expire(now: number): readonly string[] {
    const silent = [...this.#entries].filter(([, { heardAt }]) => now - heardAt >= silentMs).map(([node]) => node)
    for (const node of silent) this.#entries.delete(node)
    return silent
  }
}
