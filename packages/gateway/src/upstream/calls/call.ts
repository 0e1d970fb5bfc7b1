import type { Exchange, Outcome } from '@junctor/exchange'
import type { Fact } from '@junctor/contracts'
import type { Request } from '@junctor/jsonrpc'
import type { BackendEntry } from '../../shared/backend-entry.ts'
import { traceIdOf } from '../../shared/trace-parent.ts'
import type { Caller } from '../callers/caller.ts'
import { requestOutcome } from './request-outcome.ts'

/** One request at the node where its session is at home, and what is told of it when it has ended. */
export class Call {
  readonly caller: Caller
  /** Its method is the one meant: aliases of the tenant's profile are resolved. */
  readonly request: Request
  readonly exchange: Exchange
  /** The backend that it went to. */
  entry: BackendEntry | undefined = undefined
  /** The tool that it calls, under its public name. */
  tool: string | undefined = undefined
  /** How long the backend took, waiting for its link included. */
  backendMs = 0
  /** The W3C trace id, one text for all that is told of it. */
  readonly trace: string | undefined
  readonly #began = performance.now()

  constructor(caller: Caller, request: Request, exchange: Exchange) {
    this.caller = caller
    this.request = request
    this.exchange = exchange
    this.trace = traceIdOf(exchange.context.trace)
  }

  /** What is told when the outcome is there. */
  finished(outcome: Outcome): Fact {
    const { context, ended } = this.exchange
    const { method } = this.request
    const { outcome: how, code, origin, reason } = requestOutcome(method, outcome, ended, this.entry !== undefined)
    return {
      kind: 'request_finished',
      tenant: context.tenant,
      transport: this.caller.transport,
      method,
      backend: this.entry?.builtIn === true ? undefined : this.entry?.backend.name,
      tool: this.tool,
      trace: this.trace,
      principal: context.principal.key,
      outcome: how,
      code,
      origin,
      reason,
      durationMs: performance.now() - this.#began,
      backendMs: this.backendMs,
    }
  }
}
