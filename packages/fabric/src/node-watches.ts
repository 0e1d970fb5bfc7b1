import type { NodeChange } from '@junctor/contracts'
import type { JsonObject } from '@junctor/jsonrpc'
import { NodeWatch } from './node-watch.ts'

/** The readers of one node that watch which nodes join and leave. */
export class NodeWatches {
  readonly #watches = new Set<NodeWatch>()

  /**
   * Implements `Fabric.nodes`.
   *
   * @param nodes the current nodes, each with its announcement
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

  /** Tells every watcher of a change. */
  notify(change: NodeChange): void {
    for (const watch of this.#watches) watch.add(change)
  }

  /** Called when the node leaves: ends all readers. */
  end(): void {
    for (const watch of this.#watches) watch.end()
  }
}
