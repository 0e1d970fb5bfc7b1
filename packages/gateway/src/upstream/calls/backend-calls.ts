import type { EndReason, ErrorOutcome, Outcome } from '@junctor/exchange'
import type { Link, Log, Emit } from '@junctor/contracts'
import type { Payload, Request } from '@junctor/jsonrpc'
import { methods } from '@junctor/protocol'
import type { BackendEntry } from '../../shared/backend-entry.ts'
import type { Clock } from '../../shared/clock.ts'
import { isLost, type LostOutcome } from '../../shared/errors.ts'
import { unknownState } from '../../shared/unknown-state.ts'
import { failed } from './failed.ts'
import { closedBreaker } from '../links/breaker.ts'
import { LinkBreakers } from '../links/link-breakers.ts'
import type { LinkPool } from '../links/link-pool.ts'
import type { LinkSlot, OpenFailure } from '../links/link-slot.ts'
import type { LogLevels } from './log-levels.ts'
import { BackendCall, type BackendCallContext, deadlineOf, type RunningCall } from './backend-call.ts'
import { unbindState } from './bound-state.ts'
import type { Call } from './call.ts'
import { CallRetries, type RetriedCall } from './call-retries.ts'
import type { Admission, CallGate } from './call-gate.ts'
import { contextFor } from './context-for.ts'
import { callForGateway } from './call-for-gateway.ts'
import type { InnerCallParts } from './inner-calls.ts'
import { mapOutcome } from './map-outcome.ts'
import { pluginErrorReporter, type ReportPluginError } from './report-plugin-error.ts'

/** What calls need. */
export interface BackendCallParts {
  readonly pool: Pick<LinkPool, 'acquire' | 'release'>
  readonly levels: LogLevels
  /** Bounds the calls under way. */
  readonly gate: CallGate
  /** For the calls of other tools that backends make. */
  readonly inner: InnerCallParts
  readonly clock: Clock
  readonly emit: Emit
  readonly log: Log
  /** Returns a number in [0, 1), for jitter. */
  readonly random: () => number
}

interface Run extends RunningCall {
  /** When the backend of the call was found, in milliseconds of `performance.now`. */
  readonly began: number
  /** The outcome of the first attempt, when this is the second. */
  readonly first?: Outcome
}

/** Runs calls on the links of their callers. */
export class BackendCalls {
  readonly #parts: BackendCallParts
  readonly #breakers: LinkBreakers
  readonly #crashed: ReportPluginError
  readonly #context: BackendCallContext
  readonly #retries: CallRetries

  constructor(parts: BackendCallParts) {
    this.#parts = parts
    this.#breakers = new LinkBreakers(parts.clock.now, parts.random, parts.emit)
    this.#retries = new CallRetries(parts)
    this.#crashed = pluginErrorReporter(parts.log, parts.emit)
    this.#context = { clock: parts.clock, crashed: this.#crashed, inner: parts.inner }
  }

  /**
   * Runs a request, which has the backend's own names, for the caller of `call`. The result has public names and only
   * what the caller's revision supports.
   */
  run(call: Call, entry: BackendEntry, asked: Request): Outcome | Promise<Outcome> {
    const { context } = call.exchange
    const continued = unbindState(entry, context, asked)
    if (continued.kind === 'foreign') return unknownState(context)
    const { request } = continued
    const admission = this.#parts.gate.enter(call, entry)
    if (admission === 'admitted') return this.#run(call, entry, request, 0)
    if (!(admission instanceof Promise)) return refused(call, entry, admission)
    const began = performance.now()
    return admission.then((late) => {
      if (late !== 'admitted') return refused(call, entry, late)
      return this.#run(call, entry, request, performance.now() - began)
    })
  }

  /** @param waitedMs how long it has waited for its turn */
  #run(call: Call, entry: BackendEntry, request: Request, waitedMs: number): Outcome | Promise<Outcome> {
    // A slot that is created after the end of its session would never be retired.
    if (call.caller.ended && call.exchange.context.job === undefined) {
      this.#parts.gate.leave(call, entry)
      return failed(call, 'session_unknown')
    }
    const slot = call.caller.slot(entry)
    const began = performance.now()
    call.entry = entry
    if (slot.breaker !== closedBreaker) {
      const admission = this.#breakers.pass(slot)
      if (admission.kind === 'refused') {
        this.#parts.gate.leave(call, entry)
        return backendUnavailable(call, slot, admission.retryAfterMs)
      }
    }
    const run = { call, slot, request, waitedMs, began }
    const opened = this.#parts.pool.acquire(slot)
    return opened instanceof Promise ? opened.then((link) => this.#start(run, link)) : this.#start(run, opened)
  }

  /** Cancels a task of a backend over the link of a call, and does not wait for the answer. */
  cancelTask(call: Call, entry: BackendEntry, params: Payload): void {
    const { link } = call.caller.slot(entry)
    const context = contextFor(call.exchange.context, entry)
    if (link !== undefined) void callForGateway(link, methods.tasksCancel, params, context, this.#parts.clock)
  }

  #start(run: Run, opened: Link | OpenFailure): Outcome | Promise<Outcome> {
    const { call, slot } = run
    if ('kind' in opened) return this.#unopened(run, opened)
    const { caller } = call
    const levelled = caller.logLevel === undefined ? undefined : this.#parts.levels.ensure(caller, slot, opened)
    return levelled === undefined ? this.#send(run, opened) : levelled.then(() => this.#send(run, opened))
  }

  #send(run: Run, link: Link): Outcome | Promise<Outcome> {
    const { call, slot } = run
    if (call.exchange.ended !== undefined) {
      this.#finish(run, call.exchange.ended)
      return failed(call, 'cancelled')
    }
    call.isDisplaced = false
    const backendCall = new BackendCall(run, this.#context)
    const { exchange } = backendCall
    let outcome: Outcome | Promise<Outcome>
    try {
      outcome = link.call(run.request, exchange)
    } catch (error) {
      this.#finish(run, undefined)
      return this.#crash(run, error)
    }
    const finished = (settled: Outcome): Outcome | Promise<Outcome> => {
      const lost = isLost(settled) ? settled : undefined
      const retry = lost && this.#retries.judge(run, lost, backendCall, run.first !== undefined)
      this.#finish(run, exchange.ended, retry)
      backendCall.endInner()
      try {
        const mapped = mapOutcome(call, slot.entry, settled, link.server.revision)
        return lost === undefined ? mapped : this.#lost(run, lost, mapped, retry)
      } catch (error) {
        // The value is not an outcome, or an outcome that cannot be mapped.
        return this.#crash(run, error)
      }
    }
    return outcome instanceof Promise ? backendCall.wait(outcome, finished) : finished(outcome)
  }

  /** Ends a call without a link. One whose link could not be opened has not run. */
  #unopened(run: Run, failure: OpenFailure): Outcome | Promise<Outcome> {
    const { call, slot } = run
    call.isDisplaced ??= slot.retired && failure.reason === 'closed'
    const outcome = unavailable(call, slot, failure)
    const deadline = deadlineOf(call, slot, this.#parts.clock.now() - run.waitedMs)
    const lost: LostOutcome = { ...outcome, loss: 'unsent' }
    const mayRetry = failure.reason === 'open_failed'
    const retry = mayRetry ? this.#retries.judge(run, lost, { deadline, isSeen: false }, false) : undefined
    this.#finish(run, 'disconnected', retry)
    return this.#lost(run, lost, outcome, retry)
  }

  /** The outcome of a lost call, which may be sent again: then it keeps its place among the calls under way. */
  #lost(run: Run, { loss }: LostOutcome, outcome: Outcome, retry: RetriedCall | undefined): Outcome | Promise<Outcome> {
    if (retry !== undefined) return this.#again(run, retry, outcome)
    // The first attempt may have run, whatever became of the second.
    return run.first !== undefined && loss === 'unsent' ? run.first : outcome
  }

  async #again(run: Run, retry: RetriedCall, first: Outcome): Promise<Outcome> {
    const resumed = await this.#retries.resume(retry)
    if (resumed.kind === 'link') return this.#start({ ...run, waitedMs: resumed.waitedMs, first }, resumed.link)
    const { call, slot, began } = run
    call.backendMs = performance.now() - began
    this.#parts.gate.leave(call, slot.entry)
    return resumed.kind === 'settled' ? resumed.outcome : first
  }

  /**
   * Releases a link, and updates its breaker with how the call ended.
   *
   * @param retry given when the call goes on
   */
  #finish({ call, slot, began }: Run, ended: EndReason | undefined, retry?: RetriedCall): void {
    call.backendMs = performance.now() - began
    this.#parts.pool.release(slot)
    if (retry === undefined) this.#parts.gate.leave(call, slot.entry)
    if (ended === 'deadline' || slot.breaker !== closedBreaker) this.#breakers.learn(slot, ended)
  }

  #crash({ call, slot }: Run, error: unknown): Outcome {
    this.#crashed(slot, error)
    return failed(call, 'internal_error', { backend: slot.entry.backend.name })
  }
}

/** When a call that was refused may be sent again, in milliseconds: when others end is not known. */
const refusedMs = 1_000

/** The error for a call that was not admitted. Its backend has not seen it. */
function refused(call: Call, { backend: { name } }: BackendEntry, why: Exclude<Admission, 'admitted'>): Outcome {
  const data = { retryAfterMs: refusedMs }
  if (why === 'ended') return failed(call, 'cancelled', { backend: name })
  if (why === 'backend_full') {
    return failed(call, 'overloaded', { message: `Too many calls wait for ${name}`, backend: name, data })
  }
  return failed(call, 'too_many_requests', { message: 'Too many requests of one caller at the same time', data })
}

function unavailable(call: Call, slot: LinkSlot, failure: OpenFailure): ErrorOutcome {
  const backend = slot.entry.backend.name
  if (failure.reason === 'overloaded') return failed(call, 'overloaded', { backend })
  return backendUnavailable(call, slot, failure.retryAfterMs)
}

function backendUnavailable(call: Call, { entry }: LinkSlot, retryAfterMs: number | undefined): ErrorOutcome {
  const data = retryAfterMs === undefined ? {} : { retryAfterMs: Math.ceil(retryAfterMs) }
  return failed(call, 'backend_unavailable', { backend: entry.backend.name, data })
}
