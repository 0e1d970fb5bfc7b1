import type { NodeChange } from '@junctor/contracts'
import type { JsonObject } from '@junctor/jsonrpc'

/** One reader's view of the nodes that join and leave. */
export class NodeWatch {
  readonly #changes: NodeChange[]
  #ended = false
  #wake: (() => void) | undefined

  /** @param nodes the current nodes, each with its announcement */
  constructor(nodes: Iterable<readonly [node: string, about: JsonObject]>) {
    this.#changes = Array.from(nodes, ([node, about]) => ({ kind: 'joined', node, about }))
  }

  add(change: NodeChange): void {
    this.#changes.push(change)
    this.#wake?.()
  }

  /** Ends the reading. */
  end(): void {
    this.#ended = true
    this.#wake?.()
  }

  async *read(): AsyncGenerator<NodeChange, void> {
    while (!this.#ended) {
      const change = this.#changes.shift()
      if (change !== undefined) yield change
      else await new Promise<void>((resolve) => (this.#wake = resolve))
    }
  }
}
