import type { Answer } from '@junctor/jsonrpc'
import type { AskEvent } from './event.ts'
import type { Exchange } from './exchange.ts'

/** The asks of one exchange that were forwarded to another, and have no answer yet. */
export class ForwardedAsks {
  readonly #outer: Exchange
  /** The controllers that withdraw the asks from the outer exchange, by ask id. */
  readonly #open = new Map<string, AbortController>()

  constructor(outer: Exchange) {
    this.#outer = outer
  }

  /** The ids of the asks that have no answer yet. */
  get ids(): Iterable<string> {
    return this.#open.keys()
  }

  /** Forwards an ask: to the client of the outer exchange, or as a call of a tool. */
  async forward({ id, request, to, options }: AskEvent): Promise<Answer> {
    const controller = new AbortController()
    this.#open.set(id, controller)
    const forwarded = { ...options, signal: controller.signal }
    const answer = await (to === 'gateway'
      ? this.#outer.callTool(request.params, forwarded)
      : this.#outer.ask(request, forwarded))
    this.#open.delete(id)
    return answer
  }

  /** Withdraws an ask from the outer exchange. Nothing happens when it was answered. */
  withdraw({ id, reason }: { readonly id: string; readonly reason: string }): void {
    this.#open.get(id)?.abort(reason)
  }

  /** Withdraws all asks that have no answer, and forgets them. */
  withdrawAll(reason: string): void {
    for (const controller of this.#open.values()) controller.abort(reason)
    this.#open.clear()
  }
}
