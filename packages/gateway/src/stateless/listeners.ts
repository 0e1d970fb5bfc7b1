import type { Outcome } from '@junctor/exchange'
import type { Listener } from './listener.ts'

/** The subscriptions of this node. Each ends with its request, or when the node ends it. */
export class Listeners {
  readonly #open = new Map<string, { readonly listener: Listener; readonly end: (outcome: Outcome) => void }>()

  peek(id: string): Listener | undefined {
    return this.#open.get(id)?.listener
  }

  all(): readonly Listener[] {
    return [...this.#open.values()].map(({ listener }) => listener)
  }

  /** Adds a subscription. Resolves when this node ends it: with the answer to its request. */
  add(listener: Listener): Promise<Outcome> {
    const { promise, resolve } = Promise.withResolvers<Outcome>()
    this.#open.set(listener.id, { listener, end: resolve })
    return promise
  }

  /** Ends a subscription. Its client, if there is one, learns that no more comes (Subscriptions, "Graceful Closure"). */
  end(listener: Listener): void {
    this.#open.get(listener.id)?.end({ kind: 'complete', result: listener.tagged() })
    this.#open.delete(listener.id)
  }

  /** Ends all subscriptions, because the node leaves. */
  endAll(): void {
    for (const listener of this.all()) this.end(listener)
  }
}
