import type { Origin } from '@junctor/contracts'
import type { OpenExchange } from '@junctor/exchange'
import { Pending, type RequestId } from '@junctor/jsonrpc'
import { keptOr } from '@junctor/primitives'

/**
 * The open requests of 2026-07-28 of each connection: their ids must differ, and a notification cancels them (2026-07-28,
 * stdio, "Cancellation"). Over HTTP each request is a connection of its own.
 */
export class OpenRequests {
  readonly #known = new WeakMap<Origin, Pending<OpenExchange>>()

  /** The open requests of a connection. `undefined`: over HTTP, where each request is alone. */
  of(from: Origin): Pending<OpenExchange> | undefined {
    if (from.headers !== undefined) return undefined
    return keptOr(this.#known, from, () => new Pending())
  }

  /** Cancels a request of the connection, if it has one with this id. */
  cancel(from: Origin, id: RequestId): void {
    this.#known.get(from)?.get(id)?.end('cancelled')
  }
}
