import { isDeepStrictEqual } from 'node:util'
import type { JsonObject } from '@junctor/jsonrpc'

/** How often nodes announce themselves, in milliseconds. */
export const aliveEveryMs = 2_000

/** A node that was silent for this long has left: it has missed three announcements. */
export const silentMs: number = 3 * aliveEveryMs

/** The effect of an announcement: the node joins, is known, has changed its announcement, or was restarted. */
export type AnnouncementEffect = 'joined' | 'known' | 'changed' | 'replaced'

interface Entry {
  readonly incarnation: string
  about: JsonObject
  seenAt: number
  /** The number of its last message at the last check. */
  count: number
}

/** The other nodes, by their announcements. */
export class AnnouncedNodes {
  readonly #entries = new Map<string, Entry>()

  /** Each node with its announcement. */
  get nodes(): readonly (readonly [node: string, about: JsonObject])[] {
    return Array.from(this.#entries, ([node, { about }]) => [node, about] as const)
  }

  get size(): number {
    return this.#entries.size
  }

  has(node: string): boolean {
    return this.#entries.has(node)
  }

  /**
   * Records an announcement.
   *
   * @param incarnation differs for each start of a node with this name
   * @param now milliseconds on a clock of the caller's choice
   */
  alive(node: string, incarnation: string, about: JsonObject, now: number): AnnouncementEffect {
    const known = this.#entries.get(node)
    if (known?.incarnation === incarnation) {
      known.seenAt = now
      if (isDeepStrictEqual(known.about, about)) return 'known'
      known.about = about
      return 'changed'
    }
    this.#entries.set(node, { incarnation, about, seenAt: now, count: 0 })
    return known === undefined ? 'joined' : 'replaced'
  }

  /**
   * Removes a node that has announced its leave, or that the server reports as gone. Returns false if it was unknown.
   */
  left(node: string): boolean {
    return this.#entries.delete(node)
  }

  /** Restarts the time of silence of all nodes, because no announcement could arrive until now. */
  refresh(now: number): void {
    for (const entry of this.#entries.values()) entry.seenAt = now
  }

  /**
   * Restarts the time of silence of each node with new messages: on a narrow link its announcements may wait behind
   * others of its messages. Returns whether there is one.
   *
   * @param countFrom returns the number of the last message from an incarnation
   */
  hear(countFrom: (incarnation: string) => number, now: number): boolean {
    let isAny = false
    for (const entry of this.#entries.values()) {
      const count = countFrom(entry.incarnation)
      if (count === entry.count) continue
      entry.count = count
      entry.seenAt = now
      isAny = true
    }
    return isAny
  }

  /** Removes the nodes that have been silent for too long, and returns them. */
  expire(now: number): readonly string[] {
    const silent = [...this.#entries].filter(([, { seenAt }]) => now - seenAt >= silentMs).map(([node]) => node)
    for (const node of silent) this.#entries.delete(node)
    return silent
  }
}
