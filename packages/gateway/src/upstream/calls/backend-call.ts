import type {
  Ack,
  AskOptions,
  CallContext,
  EndReason,
  NotificationBody,
  Outcome,
  Progress,
  ToolCallOptions,
} from '@junctor/exchange'
import { type Answer, memberOf, type Payload, type Request } from '@junctor/jsonrpc'
import { type ClientRequest, methods } from '@junctor/protocol'
import type { ListNode } from '@junctor/primitives'
import type { Clock } from '../../shared/clock.ts'
import { DerivedExchange, type ExchangeChanges } from '../../shared/derived-exchange.ts'
import { backendError } from '../../shared/errors.ts'
import { askerIn } from '../../shared/prefix-in.ts'
import type { Timed } from '../../shared/deadlines.ts'
import type { LinkSlot } from '../links/link-slot.ts'
import { onlyOwner } from '../../shared/only-owner.ts'
import { mapAsk } from '../mapping/map-ask.ts'
import { mapNotification } from '../mapping/map-notification.ts'
import { mapProgress } from '../mapping/map-progress.ts'
import type { Call } from './call.ts'
import { contextFor } from './context-for.ts'
import { failed } from './failed.ts'
import { type InnerCallParts, InnerCalls } from './inner-calls.ts'
import type { OuterCall } from './inner-exchange.ts'
import type { ReportPluginError } from './report-plugin-error.ts'
import { shownPiece } from './shown-piece.ts'

/** A call on its way to its backend. */
export interface RunningCall {
  readonly call: Call
  readonly slot: LinkSlot
  /** The request, with the backend's own names. */
  readonly request: Request
  /** How long it has waited for its turn, in milliseconds. */
  readonly waitedMs: number
}

/** What every call needs. */
export interface BackendCallContext {
  readonly clock: Clock
  readonly crashed: ReportPluginError
  readonly inner: InnerCallParts
}

/**
 * One call of one backend. Its exchange differs from the caller's exchange: questions are checked and marked with the
 * name of the backend, log messages are filtered, and the backend has its own deadline, which pauses while a question
 * is open.
 */
export class BackendCall implements ExchangeChanges, OuterCall, Timed {
  place: ListNode<Timed> | undefined = undefined
  /** The exchange that the backend gets. */
  readonly exchange: DerivedExchange
  readonly call: Call
  readonly context: CallContext
  /** Whether something of it went to the client, or called another tool: then it is not sent again. */
  isSeen = false
  readonly #slot: LinkSlot
  readonly #request: Request
  readonly #context: BackendCallContext
  #deadline: number
  #asks = 0
  #pieces = 0
  #askedAt = 0
  #inner: InnerCalls | undefined = undefined
  // Two fields: with one closure over both, calls that have ended stay in memory until the next full collection.
  #resolve: ((outcome: Outcome | Promise<Outcome>) => void) | undefined = undefined
  #finished: ((outcome: Outcome) => Outcome | Promise<Outcome>) | undefined = undefined

  constructor({ call, slot, request, waitedMs }: RunningCall, context: BackendCallContext) {
    this.call = call
    const { context: own } = call.exchange
    this.context = own.callerToken === undefined ? own : contextFor(own, slot.entry)
    this.#slot = slot
    this.#request = request
    this.#context = context
    this.#deadline = deadlineOf(call, slot, context.clock.now() - waitedMs)
    this.exchange = new DerivedExchange(call.exchange, this)
  }

  get deadline(): number {
    return this.#asks > 0 ? this.#deadline + (this.now() - this.#askedAt) : this.#deadline
  }

  ack(ack?: Ack): void {
    this.isSeen = true
    this.call.exchange.ack(ack)
  }

  progress(update: Progress): void {
    this.isSeen ||= this.exchange.wantsProgress
    this.call.exchange.progress(mapProgress(update))
  }

  chunk(data: unknown): Promise<void> | undefined {
    this.isSeen = true
    return this.call.exchange.chunk(shownPiece(this.call, this.#slot.entry, data, this.#pieces++))
  }

  notify(notification: NotificationBody): void {
    const mapped = mapNotification(
      this.#slot.entry,
      this.call.caller,
      notification,
      this.call.exchange.context.revision,
    )
    if (mapped === undefined) return
    this.isSeen = true
    this.call.exchange.notify(mapped)
  }

  now(): number {
    return this.#context.clock.now()
  }

  get qualifiedName(): string {
    const { method, params } = this.#request
    const name = memberOf(params?.value(), 'name')
    return `${this.#slot.entry.backend.name}:${typeof name === 'string' ? name : method}`
  }

  callTool(params: Payload | undefined, options?: ToolCallOptions): Promise<Answer> {
    const { context, ended } = this.exchange
    if (ended !== undefined) return Promise.resolve({ error: backendError(context, 'client_gone') })
    this.isSeen = true
    // Its calls end with it.
    this.exchange.follow()
    this.#inner ??= new InnerCalls(this, this.#context.inner)
    return this.#inner.call(params, options)
  }

  async ask(request: ClientRequest, options?: AskOptions): Promise<Answer> {
    const { context, ended } = this.exchange
    const { tenant } = this.call.caller
    const passes = onlyOwner(tenant, request.method) === this.#slot.entry
    const mapped = mapAsk(askerIn(tenant, this.#slot.entry), context, request, passes)
    if (mapped.kind === 'refused') {
      const { situation, message, required } = mapped.verdict
      this.call.missing ??= required
      return { error: backendError(context, situation, message) }
    }
    if (ended !== undefined) return { error: backendError(context, 'client_gone') }
    this.isSeen = true
    return this.askClient(mapped.request, { timeoutMs: this.#slot.entry.askTimeoutMs, ...options })
  }

  async askClient(request: ClientRequest, options?: AskOptions): Promise<Answer> {
    if (this.#asks++ === 0) this.#askedAt = this.now()
    try {
      return await this.call.exchange.ask(request, options)
    } finally {
      if (--this.#asks === 0) this.#deadline += this.now() - this.#askedAt
    }
  }

  /**
   * Waits for the backend's outcome, until the deadline or the end of the exchange at the latest.
   *
   * @param finished maps the outcome; called once
   */
  wait(work: Promise<Outcome>, finished: (outcome: Outcome) => Outcome | Promise<Outcome>): Promise<Outcome> {
    const { promise, resolve } = Promise.withResolvers<Outcome>()
    this.#resolve = resolve
    this.#finished = finished
    this.#context.clock.deadlines.add(this)
    this.exchange.follow()
    work.then(
      (outcome) => this.#finish(outcome),
      (error: unknown) => {
        this.crashed(error)
        this.#finish(failed(this.call, 'internal_error', { backend: this.#slot.entry.backend.name }))
      },
    )
    return promise
  }

  expire(): void {
    this.exchange.end('deadline')
  }

  ended(reason: EndReason): void {
    this.#inner?.end(reason)
    const situation = reason === 'deadline' ? 'deadline_exceeded' : 'cancelled'
    this.#finish(failed(this.call, situation, { backend: this.#slot.entry.backend.name }))
  }

  /** Ends the calls of other tools that are still open, because the backend has answered. */
  endInner(): void {
    this.#inner?.end('cancelled')
  }

  /** Reports that the backend's code threw where it must not. */
  crashed(error: unknown): void {
    this.#context.crashed(this.#slot, error)
  }

  /** Settles the call with the first outcome; later ones are ignored. */
  #finish(outcome: Outcome): void {
    const [resolve, finished] = [this.#resolve, this.#finished]
    if (resolve === undefined || finished === undefined) return
    this.#resolve = undefined
    this.#context.clock.deadlines.remove(this)
    try {
      resolve(finished(outcome))
    } catch (error) {
      resolve(Promise.reject(error))
    }
  }
}

/** The deadline of a call that came at `since`, before any question. */
export function deadlineOf({ exchange, request }: Call, { entry }: LinkSlot, since: number): number {
  const { job, chain } = exchange.context
  if (request.method === methods.subscriptionsListen) return Number.MAX_SAFE_INTEGER
  // No client waits for a job on a connection, so a job may take longer.
  if (job !== undefined) return exchange.deadline
  const own = since + entry.timeoutMs
  return chain === undefined ? own : Math.min(own, exchange.deadline)
}
