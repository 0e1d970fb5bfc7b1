import type { Answer, JsonObject, Payload, Request } from '@junctor/jsonrpc'
import { type ClientRequest, mcpProfile, methods, wireError } from '@junctor/protocol'
import type { AskOptions, ToolCallOptions } from './ask-options.ts'
import type { CallContext } from './context.ts'
import { type EndListeners, notifyEnd, withListener } from './end-listeners.ts'
import type { Ack, AskEvent, LastEvent, NotificationBody, OrdinaryEvent, Progress } from './event.ts'
import type { EndListener, OpenExchange } from './exchange.ts'
import type { Host } from './host.ts'
import { KeptEvents, mostKeptChunks } from './kept-events.ts'
import { type AskOwner, OpenAsk } from './open-ask.ts'
import { OpenAsks } from './open-asks.ts'
import type { EndReason, Outcome } from './outcome.ts'
import type { Outlet } from './outlet.ts'
import { impossibleAnswer, withdrawnAnswer } from './unanswered.ts'

/** The data that an exchange is created from. */
export interface ExchangeInit {
  /** `<node>-<base36 counter>`. */
  readonly id: string
  readonly request: Request
  readonly context: CallContext
  /** Epoch milliseconds. The host ends the exchange at this time. */
  readonly deadline: number
  /** 1, or more when a job runs again. */
  readonly attempt: number
  /** Default false: an upstream is asked for progress only when a client wants it. */
  readonly wantsProgress?: boolean
}

/**
 * Opens the exchange of a request: detached, without kept events.
 *
 * Events go to the attached outlet, in order. While there is none, or its last write still waits, events are kept: acks
 * merged into one, the latest progress, the newest notifications within a size, 64 chunks before `chunk` makes its
 * producer wait. The outcome and the end do not wait for a slow outlet: they are written after the kept events, and
 * close the exchange. If notifications were dropped, a log message before the outcome says how many.
 *
 * Asks may be open for as long as the exchange is. A `guessed` ask, whose request is not known for sure, outlives the
 * exchange once the client has seen it: it is answered, timed out by the host or withdrawn by its asker. The client is
 * not notified of the latter two, because this exchange writes nothing after its last event.
 *
 * An ask for an outlet whose view cannot ask (`asks: 'none'`) is immediately answered with an error, and so is a call of
 * a tool at an outlet that does not forward it.
 */
export function createExchange(init: ExchangeInit, host: Host): OpenExchange {
  return new LiveExchange(init, host)
}

/** The reason for the withdrawal of an ask whose signal aborted. */
const takenBack = 'the asker took it back'

/** One is created for each request, so members that most requests do not need are created when first used. */
class LiveExchange implements OpenExchange, AskOwner {
  readonly id: string
  readonly request: Request
  readonly context: CallContext
  readonly attempt: number
  readonly wantsProgress: boolean
  ended: EndReason | undefined = undefined
  dropped = 0
  readonly #host: Host
  readonly #deadline: number
  #outlet: Outlet | undefined = undefined
  /** The promise of the outlet's last write, while it waits. */
  #slow: Promise<void> | undefined = undefined
  #kept: KeptEvents | undefined = undefined
  #asks: OpenAsks | undefined = undefined
  #listeners: EndListeners = undefined
  #controller: AbortController | undefined = undefined
  /** The promise that producers of chunks wait for. */
  #room: PromiseWithResolvers<void> | undefined = undefined
  #progress = -Infinity
  /** Set by the first event that is not an ack. No acks are sent afterwards. */
  #started = false
  /** The outcome or end, written or not. */
  #last: LastEvent | undefined = undefined
  #written = false

  constructor(init: ExchangeInit, host: Host) {
    this.id = init.id
    this.request = init.request
    this.context = init.context
    this.attempt = init.attempt
    this.wantsProgress = init.wantsProgress ?? false
    this.#deadline = init.deadline
    this.#host = host
  }

  get options(): JsonObject | undefined {
    return this.request.options?.value() as JsonObject | undefined
  }

  get closed(): boolean {
    return this.#last !== undefined
  }

  get deadline(): number {
    return this.#asks === undefined ? this.#deadline : this.#deadline + this.#asks.openMs
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController()
      if (this.ended !== undefined) this.#controller.abort(this.ended)
    }
    return this.#controller.signal
  }

  onEnd(listener: EndListener): void {
    if (this.ended !== undefined) notifyEnd(listener, this.ended, this)
    else if (this.#last !== undefined) return
    // Nearly every exchange has one listener.
    else this.#listeners = this.#listeners === undefined ? listener : withListener(this.#listeners, listener)
  }

  begun(): void {
    if (!this.closed) this.#outlet?.begun?.()
  }

  startedTask(task: string): void {
    if (!this.closed) this.#emit({ kind: 'task_started', task })
  }

  ack(ack: Ack = {}): void {
    if (!this.closed && !this.#started) this.#emit({ kind: 'ack', ack })
  }

  progress(update: Progress): void {
    if (this.closed || !Number.isFinite(update.progress) || update.progress <= this.#progress) return
    this.#progress = update.progress
    this.#started = true
    this.#emit({ kind: 'progress', progress: update })
  }

  chunk(data: unknown): Promise<void> | undefined {
    if (this.closed) return undefined
    this.#started = true
    this.#emit({ kind: 'chunk', data })
    const waits = this.#outlet === undefined ? this.#kept?.full === true : this.#slow !== undefined
    if (!waits) return undefined
    if (this.#kept?.overrun === true) return this.#overrun()
    this.#room ??= Promise.withResolvers<void>()
    return this.#room.promise
  }

  notify(notification: NotificationBody): void {
    if (this.closed) return
    this.#started = true
    this.#emit({ kind: 'notification', notification })
  }

  ask(request: ClientRequest, options?: AskOptions): Promise<Answer> {
    return this.#openAsk(request, undefined, options)
  }

  callTool(params: Payload | undefined, options?: ToolCallOptions): Promise<Answer> {
    return this.#openAsk({ method: methods.toolsCall, params }, 'gateway', options)
  }

  #openAsk(request: ClientRequest, to: AskEvent['to'], options: AskOptions | undefined): Promise<Answer> {
    if (this.closed) return Promise.resolve(withdrawnAnswer(this, 'the request is over'))
    if (options?.signal?.aborted === true) return Promise.resolve(withdrawnAnswer(this, takenBack))
    this.#started = true
    const ask = new OpenAsk(this.#host.nextId(), request, to, options, this)
    const { id } = ask.event
    this.#asks ??= new OpenAsks(() => this.#host.now())
    this.#asks.add(ask)
    this.#host.asked(id, this, options)
    if (this.#asks.get(id) !== undefined) this.#emit(ask.event)
    return ask.answer
  }

  answer(askId: string, answer: Answer, withdrawn?: string): void {
    const ask = this.#asks?.get(askId)
    if (ask !== undefined) this.#settleAsk(ask, answer, withdrawn)
  }

  withdraw(ask: OpenAsk): void {
    this.#settleAsk(ask, withdrawnAnswer(this, takenBack), takenBack)
  }

  attach(outlet: Outlet): void {
    if (this.#written) return
    this.#outlet = outlet
    this.#slow = undefined
    const shown = this.#asks?.all().filter((ask) => ask.shown && ask.isForClient) ?? []
    if (shown.length > 0) this.#keep().replay(shown.map((ask) => ask.event))
    if (this.#kept !== undefined || this.#last !== undefined) this.#flush()
    if (this.#room !== undefined) this.#freeProducers()
  }

  detach(): void {
    this.#outlet = undefined
    this.#slow = undefined
    this.#freeProducers()
  }

  settle(outcome: Outcome): void {
    if (this.#last === undefined) this.#close({ kind: 'outcome', outcome }, 'the request is complete')
  }

  end(reason: EndReason): void {
    if (this.#written || this.ended !== undefined) return
    // Undefined when the handler has already settled: then no listener is called.
    const listeners = this.#listeners
    this.ended = reason
    this.#close({ kind: 'end', reason }, `the request has ended (${reason})`)
    notifyEnd(listeners, reason, this)
    this.#controller?.abort(reason)
    this.#host.closed(this)
  }

  /** The handler does not wait for its reader: the request fails, and the handler is stopped. */
  #overrun(): undefined {
    this.#fail(overrunOutcome(this))
  }

  /**
   * Closes the exchange. Everything that the handler does afterwards is ignored; kept events and `last` are written as
   * soon as possible.
   */
  #close(last: LastEvent, why: string): void {
    this.#last = last
    this.#listeners = undefined
    if (this.#room !== undefined) this.#openRoom()
    for (const ask of this.#asks?.all() ?? []) {
      const outlives = ask.guessed && (ask.shown || last.kind === 'outcome')
      if (!outlives) this.#settleAsk(ask, withdrawnAnswer(this, why), why)
    }
    this.#flush()
  }

  #emit(event: OrdinaryEvent): void {
    const outlet = this.#outlet
    if (outlet === undefined || this.#slow !== undefined || this.#keepsAny()) {
      this.dropped += this.#keep().add(event)
    } else this.#write(outlet, event)
  }

  #write(outlet: Outlet, event: OrdinaryEvent): void {
    if (event.kind === 'ask' && !this.#show(event.id, outlet)) return
    const slow = outlet.write(event)
    if (event.kind === 'chunk' && outlet.overflow !== undefined) return this.#fail(outlet.overflow)
    // The outlet may have been detached during its own write.
    if (slow === undefined || this.#outlet !== outlet) return
    this.#slow = slow
    void slow.then(() => this.#drained(slow))
  }

  #drained(slow: Promise<void>): void {
    if (this.#slow !== slow) return
    this.#slow = undefined
    this.#flush()
    this.#freeProducers()
  }

  #writeKept(outlet: Outlet, event: OrdinaryEvent): void {
    try {
      this.#write(outlet, event)
    } catch (error) {
      // The event may be unprintable, and the handler that sent it has continued.
      this.#host.failed?.(this, error)
      this.#kept = undefined
      this.#fail(failedOutcome(outlet))
    }
  }

  /** Makes the request fail regardless of its handler's outcome, and stops the handler. */
  #fail(outcome: Outcome): void {
    const listeners = this.#listeners
    if (this.closed) this.#last = { kind: 'outcome', outcome }
    else this.settle(outcome)
    notifyEnd(listeners, 'cancelled', this)
    this.#controller?.abort('cancelled' satisfies EndReason)
  }

  /** Writes kept events while the reader keeps up. When closed, writes all of them and then the last event. */
  #flush(): void {
    while (this.#outlet !== undefined && (this.#slow === undefined || this.#last !== undefined)) {
      const event = this.#kept?.take()
      if (event !== undefined) this.#writeKept(this.#outlet, event)
      else if (this.#last === undefined) return
      else this.#finish(this.#outlet, this.#last)
    }
  }

  #finish(outlet: Outlet, last: LastEvent): void {
    const notice = last.kind === 'outcome' ? this.#kept?.lossNotice : undefined
    this.#written = true
    this.#outlet = undefined
    this.#slow = undefined
    this.#kept = undefined
    try {
      if (notice !== undefined) void outlet.write({ kind: 'notification', notification: notice })
      void outlet.write(last)
    } catch (error) {
      // The outcome may be unprintable. The client still receives an error.
      void outlet.write({ kind: 'outcome', outcome: failedOutcome(outlet) })
      throw error
    } finally {
      if (last.kind === 'outcome') this.#host.closed(this)
    }
  }

  #keep(): KeptEvents {
    this.#kept ??= new KeptEvents()
    return this.#kept
  }

  #keepsAny(): boolean {
    return this.#kept !== undefined && this.#kept.size > 0
  }

  /**
   * Releases waiting producers, unless they would have to wait again: a reader that attaches and detaches does not free
   * space.
   */
  #freeProducers(): void {
    if (this.#slow === undefined && this.#kept?.full !== true) this.#openRoom()
  }

  #openRoom(): void {
    this.#room?.resolve()
    this.#room = undefined
  }

  /** Whether an ask must be written to this outlet. A call of a tool is shown once: shown again, it would run again. */
  #show(askId: string, outlet: Outlet): boolean {
    const ask = this.#asks?.get(askId)
    if (ask === undefined) return false
    if (ask.isForClient ? outlet.view.asks !== 'none' : outlet.forwards === true) {
      ask.shown = true
      return true
    }
    // An ask that was shown on another outlet may still be answered there.
    if (!ask.shown) this.#settleAsk(ask, impossibleAnswer(this, ask.event.request.method))
    return false
  }

  #settleAsk(ask: OpenAsk, answer: Answer, withdrawn?: string): void {
    if (this.#asks?.remove(ask) !== true) return
    this.#kept?.remove(ask.event)
    const { id } = ask.event
    if (ask.shown && withdrawn !== undefined && !this.#written) this.#emit({ kind: 'withdrawn', id, reason: withdrawn })
    ask.settle(answer)
    this.#host.answered(id, answer)
  }
}

/** Returns the replacement for an outcome that its outlet could not write. */
function failedOutcome({ view }: Outlet): Outcome {
  return { kind: 'error', error: wireError('internal_error', view) }
}

/** The outcome of a request whose handler streams without waiting for its reader. */
function overrunOutcome({ request, context }: OpenExchange): Outcome {
  const view = { revision: context.revision, dialect: request.dialect, profile: mcpProfile }
  const message = `The backend sent more than ${mostKeptChunks} pieces of its stream ahead of its reader`
  return { kind: 'error', error: wireError('too_large', view, { message }) }
}
