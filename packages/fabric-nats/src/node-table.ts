/** Nodes tell that they are there this often. */
export const aliveEveryMs = 2_000

/** A node that was silent for this long has left: three times it was not heard. */
export const silentMs: number = 3 * aliveEveryMs

/** Which other nodes are there, by what was heard of them. */
export class NodeTable {
  readonly #heard = new Map<string, number>()

  get nodes(): Iterable<string> {
    return this.#heard.keys()
  }

  get size(): number {
    return this.#heard.size
  }

  /**
   * A node is there.
   *
   * @param now milliseconds on a clock of the caller's choice
   * @returns true: it was not there before
   */
  alive(node: string, now: number): boolean {
    const joined = !this.#heard.has(node)
    this.#heard.set(node, now)
    return joined
  }

  /** A node has left, by what it said or by what the server knows. False: it was not there. */
  left(node: string): boolean {
    return this.#heard.delete(node)
  }

  /** Removes the nodes that have been silent for too long. */
  expire(now: number): readonly string[] {
    const silent = [...this.#heard].filter(([, heard]) => now - heard >= silentMs).map(([node]) => node)
    for (const node of silent) this.#heard.delete(node)
    return silent
  }
}
