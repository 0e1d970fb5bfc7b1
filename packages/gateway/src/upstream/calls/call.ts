import type { Exchange, Handler, Outcome } from '@junctor/exchange'
import type { TelemetryEvent } from '@junctor/contracts'
import type { JsonObject, Request } from '@junctor/jsonrpc'
import type { BackendEntry } from '../../shared/backend-entry.ts'
import { traceIdOf } from '../../shared/trace-parent.ts'
import type { Caller } from '../callers/caller.ts'
import { requestOutcome } from './request-outcome.ts'

/** One request on the home node of its session, with what events report about it at its end. */
export class Call {
  readonly caller: Caller
  /** Its method is canonical: aliases of the tenant's profile are resolved. */
  readonly request: Request
  readonly exchange: Exchange
  /** Answers the calls of other tools that its backend makes. Absent: its backend cannot call tools. */
  readonly answer: Handler | undefined
  /** The backend that the request went to. */
  entry: BackendEntry | undefined = undefined
  /** The tool that it calls, under its public name. */
  tool: string | undefined = undefined
  /** Whether that tool may run twice, by its annotations. */
  isRepeatable = false
  /** The capabilities that the client did not declare, and that the backend has asked for. */
  missing: JsonObject | undefined = undefined
  /**
   * True: nothing of it was sent, because a reload has replaced its backend in the meantime. False: something was sent.
   */
  isDisplaced: boolean | undefined = undefined
  /** How long the backend took, including the wait for its link, in milliseconds. */
  backendMs = 0
  /** The W3C trace id, computed once for all events of the request. */
  readonly trace: string | undefined
  readonly #began = performance.now()

  constructor(caller: Caller, request: Request, exchange: Exchange, answer?: Handler) {
    this.caller = caller
    this.request = request
    this.exchange = exchange
    this.answer = answer
    this.trace = traceIdOf(exchange.context.trace)
  }

  /** The event for the end of the request with this outcome. */
  finished(outcome: Outcome): TelemetryEvent {
    const { context, ended } = this.exchange
    const { method } = this.request
    const { outcome: how, code, origin, reason } = requestOutcome(method, outcome, ended, this.entry !== undefined)
    return {
      kind: 'request_finished',
      tenant: context.tenant,
      // A request that another node has forwarded is of the session here.
      transport: context.transport ?? this.caller.context.transport ?? 'http',
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
