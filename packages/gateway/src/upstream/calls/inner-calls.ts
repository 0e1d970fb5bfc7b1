import {
  type Answer,
  edit,
  isJsonObject,
  type JsonObject,
  memberOf,
  type Payload,
  type Request,
  requestId,
} from '@junctor/jsonrpc'
import type { EndReason, Outcome, ToolCallOptions } from '@junctor/exchange'
import { methods, type Situation } from '@junctor/protocol'
import { DerivedExchange } from '../../shared/derived-exchange.ts'
import { backendError, errorOutcome } from '../../shared/errors.ts'
import { missingOf } from '../callers/caller-view.ts'
import type { CallerViews } from '../callers/caller-views.ts'
import type { Route } from '../catalogue/tenant-view.ts'
import { qualifiedNameOf, type ToolNames } from '../catalogue/tool-names.ts'
import { InnerExchange, type OuterCall } from './inner-exchange.ts'

/** The most tools of which each calls the next. */
const mostInChain = 8

/** The most calls of other tools that one call may have open at a time. */
const mostOpen = 64

/** What calls of other tools need. */
export interface InnerCallParts {
  readonly views: Pick<CallerViews, 'of' | 'seen'>
  readonly names: ToolNames
}

/**
 * The calls of other tools that one call of a backend makes. Each is a request of the same caller: it passes the same
 * interceptors and policy as a request of its client, and is reported in the same way.
 */
export class InnerCalls {
  readonly #outer: OuterCall
  readonly #parts: InnerCallParts
  readonly #open = new Set<DerivedExchange>()
  #count = 0

  constructor(outer: OuterCall, parts: InnerCallParts) {
    this.#outer = outer
    this.#parts = parts
  }

  /** Never rejects. */
  async call(params: Payload | undefined, options: ToolCallOptions = {}): Promise<Answer> {
    const { signal } = options
    const value = params?.value()
    if (params === undefined || !isJsonObject(value) || typeof value['name'] !== 'string') {
      return this.#refused('invalid_params', 'Expected the name of a tool to call')
    }
    if (this.#open.size >= mostOpen) return this.#refused('overloaded', `Expected at most ${mostOpen} calls at a time`)
    if (signal?.aborted === true) return this.#refused('cancelled')
    const { promise, resolve } = Promise.withResolvers<Answer>()
    this.#count += 1
    const source = new InnerExchange(this.#outer, this.#count, wantsProgress(value), options.timeoutMs)
    const ended = (reason: EndReason): void =>
      resolve(this.#refused(reason === 'deadline' ? 'deadline_exceeded' : 'cancelled'))
    const exchange = new DerivedExchange(source, { ended })
    const cancel = (): void => exchange.end('cancelled')
    this.#open.add(exchange)
    signal?.addEventListener('abort', cancel)
    this.#answer(value['name'], params, exchange).then(
      (outcome) => resolve(source.finish(outcome)),
      () => resolve(this.#refused('internal_error')),
    )
    try {
      return await promise
    } finally {
      source.close()
      this.#open.delete(exchange)
      signal?.removeEventListener('abort', cancel)
    }
  }

  /** Ends the open calls, because the call that makes them has ended. */
  end(reason: EndReason): void {
    for (const exchange of this.#open) exchange.end(reason)
  }

  async #answer(name: string, params: Payload, exchange: DerivedExchange): Promise<Outcome> {
    const { call } = this.#outer
    const chain = exchange.context.chain ?? []
    if (chain.length >= mostInChain) {
      return this.#failed('tool_depth', `${shownChain(chain, name)} is a chain of more than ${mostInChain} tools`)
    }
    const route = await this.#find(name)
    const unreachable = route === undefined ? this.#unreachable(name) : undefined
    if (unreachable !== undefined) return unreachable
    if (route !== undefined && chain.includes(qualifiedNameOf(route))) {
      return this.#failed('tool_cycle', `${shownChain(chain, qualifiedNameOf(route))} is a cycle`)
    }
    // The router refuses a name that is not found.
    const shown = route === undefined ? params : edit(params, { name: route.shown })
    const { dialect } = call.request
    const request: Request = { kind: 'request', dialect, id: requestId(0), method: methods.toolsCall, params: shown }
    return call.answer === undefined ? this.#failed('method_not_found') : call.answer(request, exchange)
  }

  /** An outdated view is enough for a tool that it has, as for the calls of clients. */
  async #find(name: string): Promise<Route | undefined> {
    const { views, names } = this.#parts
    const { caller } = this.#outer.call
    const known = names.find(views.seen(caller).view, name)
    return known ?? names.find((await views.of(caller)).view, name)
  }

  #unreachable(name: string): Outcome | undefined {
    const missing = missingOf(this.#parts.views.seen(this.#outer.call.caller), 'tools')
    const owner = missing.find(({ backend }) => name === backend.name || name.startsWith(`${backend.name}:`))
    return owner === undefined ? undefined : this.#failed('backend_unavailable', `The backend of ${name} is not there`)
  }

  #failed(situation: Situation, message?: string): Outcome {
    return errorOutcome(this.#outer.call.exchange.context, situation, message)
  }

  #refused(situation: Situation, message?: string): Answer {
    return { error: backendError(this.#outer.call.exchange.context, situation, message) }
  }
}

function wantsProgress({ _meta: meta }: JsonObject): boolean {
  return memberOf(meta, 'progressToken') !== undefined
}

function shownChain(chain: readonly string[], next: string): string {
  return [...chain, next].join(' → ')
}
