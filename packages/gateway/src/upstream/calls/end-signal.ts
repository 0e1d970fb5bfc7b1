import { AsyncLocalStorage } from 'node:async_hooks'
import type { EndReason } from '@junctor/exchange'

/**
 * The signal of one request. It aborts as whoever asked for it first: what a listener of a plugin throws is reported by the
 * process as if it came from whoever aborts, and must be known as the plugin's.
 */
export class EndSignal {
  readonly #controller = new AbortController()
  readonly #asAsker = AsyncLocalStorage.snapshot()

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  abort(reason: EndReason): void {
    this.#asAsker(() => this.#controller.abort(reason))
  }
}
