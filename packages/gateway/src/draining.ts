import type { Handler } from '@junctor/exchange'
import { within } from '@junctor/exchange'
import { mcpProfile } from '@junctor/protocol'
import { errorFor } from './errors.ts'

/** How a gateway goes away without cutting off what is under way for other nodes. */
export class Draining {
  /** No more sessions are opened here, and no more jobs taken. */
  hasBegun = false
  #isLast = false
  readonly #underWay = new Set<Promise<unknown>>()

  /** A handler that answers other nodes, which are told to ask again when it is too late. */
  guard(handler: Handler): Handler {
    return (request, exchange) => {
      if (this.#isLast) {
        const error = errorFor(exchange.context, request.dialect, mcpProfile, 'overloaded', { message: leavingMessage })
        return { kind: 'error', error }
      }
      const outcome = handler(request, exchange)
      if (outcome instanceof Promise) this.#wait(outcome)
      return outcome
    }
  }

  /** Takes nothing more from others, and waits for what is under way for them. */
  async end(others: Promise<unknown>, graceMs: number): Promise<void> {
    this.#isLast = true
    await within(Promise.allSettled([others, ...this.#underWay]), graceMs)
  }

  #wait(outcome: Promise<unknown>): void {
    const over = (): void => void this.#underWay.delete(outcome)
    this.#underWay.add(outcome)
    outcome.then(over, over)
  }
}

const leavingMessage = 'The gateway is shutting down'
