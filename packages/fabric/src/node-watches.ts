import type { NodeChange } from '@junctor/contracts'
import type { JsonObject } from '@junctor/jsonrpc'
import { NodeWatch } from './node-watch.ts'

/** Those of one node who follow which nodes come and go. */
export class NodeWatches {
  readonly #watches = new Set<NodeWatch>()

  /**
   * As `Fabric.nodes`.
   *
   * @param nodes those that are there now, and what each says of itself
   */
  async *follow(
    nodes: Iterable<readonly [node: string, about: JsonObject]>,
    signal: AbortSignal,
  ): AsyncGenerator<NodeChange, void> {
    const watch = new NodeWatch(nodes)
    const ended = (): void => watch.end()
    signal.addEventListener('abort', ended)
    this.#watches.add(watch)
    try {
      yield* watch.read()
    } finally {
      signal.removeEventListener('abort', ended)
      this.#watches.delete(watch)
    }
  }

  tell(change: NodeChange): void {
    for (const watch of this.#watches) watch.add(change)
  }

  /** The node leaves: nothing more is read. */
  end(): void {
    for (const watch of this.#watches) watch.end()
  }
}
