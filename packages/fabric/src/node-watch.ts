import type { NodeChange } from '@junctor/exchange'

/** One reader's view of who comes and goes. */
export class NodeWatch {
  readonly #changes: NodeChange[]
  #ended = false
  #wake: (() => void) | undefined

  /** @param nodes those that are there already */
  constructor(nodes: Iterable<string>) {
    this.#changes = [...nodes].map((node) => ({ kind: 'joined', node }))
  }

  add(change: NodeChange): void {
    this.#changes.push(change)
    this.#wake?.()
  }

  /** Nothing more is read. */
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
