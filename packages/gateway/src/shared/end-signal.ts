import { AsyncLocalStorage } from 'node:async_hooks'
import type { EndReason } from '@junctor/exchange'

/**
 * The signal of one request. It aborts in the async context of the code that asked for it first: the process reports the
 * errors of listeners in the context that aborts, and an error of a plugin's listener must be known as the plugin's.
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
