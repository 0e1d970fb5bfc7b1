import type { CallTarget, FabricGauges } from '@junctor/contracts'
import { createExchange, type Exchange, type Host, type OpenExchange, type Outcome, relay } from '@junctor/exchange'
import type { Request } from '@junctor/jsonrpc'
import { noHolderOutcome } from './call/no-holder-outcome.ts'
import { runHandler } from './call/run-handler.ts'
import type { Services } from './services.ts'

/** The nodes at the two ends of a call. */
interface Ends {
  readonly caller: string
  readonly holder: string
}

/**
 * Calls between the nodes of a bus. The handler gets its own exchange, whose events are forwarded to the caller's
 * exchange. So its access to the caller ends with its outcome, and with its node.
 */
export class MemoryCalls implements Host {
  readonly #ongoing = new Map<OpenExchange, Ends>()
  readonly #services: Services
  readonly #now: () => number
  #count = 0

  constructor(services: Services, now: () => number) {
    this.#services = services
    this.#now = now
  }

  get size(): number {
    return this.#ongoing.size
  }

  /** The number of calls in flight from a node to others, and from others to it. */
  gauges(node: string): Pick<FabricGauges, 'placed' | 'served'> {
    const others = [...this.#ongoing.values()].filter(({ caller, holder }) => caller !== holder)
    return {
      placed: others.filter(({ caller }) => caller === node).length,
      served: others.filter(({ holder }) => holder === node).length,
    }
  }

  /** Never rejects. */
  run(caller: string, to: CallTarget, request: Request, outer: Exchange): Promise<Outcome> {
    const holder = this.#services.pick(to)
    if (holder === undefined) return Promise.resolve(noHolderOutcome(to, request, outer))
    const { id, context, deadline, attempt, wantsProgress } = outer
    const inner = createExchange({ id, request, context, deadline, attempt, wantsProgress }, this)
    this.#ongoing.set(inner, { caller, holder: holder.node })
    const outcome = relay(inner, outer)
    if (!inner.closed) runHandler(holder.handler, inner)
    if (!inner.closed) outer.begun?.()
    return outcome
  }

  /** Ends the calls to and from a node. */
  leave(node: string): void {
    for (const [exchange, { caller, holder }] of this.#ongoing) {
      if (holder === node) exchange.end('shutdown')
      else if (caller === node) exchange.end('disconnected')
    }
  }

  // The host of the inner exchanges. The outer exchanges send their asks, and apply the timeouts.

  nextId(): string {
    this.#count += 1
    return `inner-${this.#count.toString(36)}`
  }

  now(): number {
    return this.#now()
  }

  asked(): void {}

  answered(): void {}

  closed(exchange: OpenExchange): void {
    this.#ongoing.delete(exchange)
  }
}
