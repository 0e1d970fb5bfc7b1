import type {
  Ack,
  Answer,
  AskOptions,
  CallContext,
  ClientRequest,
  EndListener,
  EndReason,
  Exchange,
  NotificationBody,
  Outcome,
  Progress,
} from '@junctor/exchange'
import type { Place } from '@junctor/primitives'
import { EndSignal } from './end-signal.ts'
import type { JsonObject } from '@junctor/jsonrpc'
import type { Clock } from '../../shared/clock.ts'
import { upstreamError } from '../../shared/errors.ts'
import { failed } from './failed.ts'
import type { LinkSlot } from '../links/link-slot.ts'
import { mapAsk } from '../mapping/map-ask.ts'
import { askerIn } from '../../shared/prefix-in.ts'
import { mapNotification } from '../mapping/map-notification.ts'
import type { Timed } from '../../shared/timetable.ts'
import type { Call } from './call.ts'

/** Hears that a backend's code threw where it must not. Must not throw itself. */
export type Crashed = (slot: LinkSlot, error: unknown) => void

/**
 * One call of one backend: the exchange as that backend sees it. Questions are gated and marked with their asker, log
 * messages filtered, and the backend's own deadline kept, which stands still while a question is open.
 */
export class BackendCall implements Exchange, Timed {
  place: Place<Timed> | undefined = undefined
  readonly #call: Call
  readonly #exchange: Exchange
  readonly #slot: LinkSlot
  readonly #clock: Clock
  readonly #crashed: Crashed
  #deadline: number
  #asks = 0
  #askedAt = 0
  #ended: EndReason | undefined
  #listeners: EndListener[] | undefined
  #controller: EndSignal | undefined
  // Two fields: with one closure over both, calls that have ended stay in memory until the next full collection.
  #resolve: ((outcome: Outcome | Promise<Outcome>) => void) | undefined
  #finished: ((outcome: Outcome) => Outcome) | undefined

  constructor(call: Call, slot: LinkSlot, clock: Clock, crashed: Crashed) {
    this.#call = call
    this.#exchange = call.exchange
    this.#slot = slot
    this.#clock = clock
    this.#crashed = crashed
    // No client waits for a job, so it may take longer.
    const isJob = call.exchange.context.job !== undefined
    this.#deadline = isJob ? call.exchange.deadline : clock.now() + slot.entry.timeoutMs
  }

  get id(): string {
    return this.#exchange.id
  }

  get attempt(): number {
    return this.#exchange.attempt
  }

  get context(): CallContext {
    return this.#exchange.context
  }

  get options(): JsonObject | undefined {
    return this.#exchange.options
  }

  get wantsProgress(): boolean {
    return this.#exchange.wantsProgress
  }

  get deadline(): number {
    return this.#asks > 0 ? this.#deadline + (this.#clock.now() - this.#askedAt) : this.#deadline
  }

  get ended(): EndReason | undefined {
    return this.#ended ?? this.#exchange.ended
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      const controller = new EndSignal()
      this.#controller = controller
      this.onEnd({ ended: (reason) => controller.abort(reason) })
    }
    return this.#controller.signal
  }

  onEnd(listener: EndListener): void {
    const { ended } = this
    if (ended !== undefined) {
      listener.ended(ended, this)
      return
    }
    const listeners = this.#listen()
    if (!listeners.includes(listener)) listeners.push(listener)
  }

  ack(ack?: Ack): void {
    if (this.#ended === undefined) this.#exchange.ack(ack)
  }

  progress(update: Progress): void {
    if (this.#ended === undefined) this.#exchange.progress(update)
  }

  chunk(data: unknown): Promise<void> | undefined {
    return this.#ended === undefined ? this.#exchange.chunk(data) : undefined
  }

  notify(notification: NotificationBody): void {
    if (this.#ended !== undefined) return
    const mapped = mapNotification(this.#slot.entry, this.#call.caller, notification)
    if (mapped !== undefined) this.#exchange.notify(mapped)
  }

  async ask(request: ClientRequest, options?: AskOptions): Promise<Answer> {
    const mapped = mapAsk(askerIn(this.#call.caller.tenant, this.#slot.entry), this.context, request)
    if (mapped.kind === 'refused')
      return { error: upstreamError(this.context, mapped.verdict.situation, mapped.verdict.message) }
    if (this.ended !== undefined) return { error: upstreamError(this.context, 'client_gone') }
    if (this.#asks++ === 0) this.#askedAt = this.#clock.now()
    try {
      const timeoutMs = this.#slot.entry.askTimeoutMs
      return await this.#exchange.ask(mapped.request, { timeoutMs, ...options })
    } finally {
      if (--this.#asks === 0) this.#deadline += this.#clock.now() - this.#askedAt
    }
  }

  /**
   * Waits for the backend's outcome, but no longer than the deadline or the end of the exchange.
   *
   * @param finished what is made of the outcome; called once
   */
  wait(work: Promise<Outcome>, finished: (outcome: Outcome) => Outcome): Promise<Outcome> {
    const { promise, resolve } = Promise.withResolvers<Outcome>()
    this.#resolve = resolve
    this.#finished = finished
    this.#clock.timetable.add(this)
    this.#listen()
    work.then(
      (outcome) => this.#finish(outcome),
      (error: unknown) => {
        this.#crashed(this.#slot, error)
        this.#finish(failed(this.#call, 'internal_error', { backend: this.#slot.entry.backend.name }))
      },
    )
    return promise
  }

  expire(): void {
    this.#end('deadline')
  }

  /** The listeners to the end. From the first one on, this call listens to the exchange for them. */
  #listen(): EndListener[] {
    if (this.#listeners === undefined) {
      this.#listeners = []
      this.#exchange.onEnd({ ended: (reason) => this.#end(reason) })
    }
    return this.#listeners
  }

  #end(reason: EndReason): void {
    if (this.#ended !== undefined) return
    this.#ended = reason
    for (const listener of this.#listeners ?? []) {
      try {
        listener.ended(reason, this)
      } catch (error) {
        // A backend's fault must keep neither the caller waiting nor the other listeners from hearing of it.
        this.#crashed(this.#slot, error)
      }
    }
    const situation = reason === 'deadline' ? 'deadline_exceeded' : 'cancelled'
    this.#finish(failed(this.#call, situation, { backend: this.#slot.entry.backend.name }))
  }

  /** Only the first outcome counts. */
  #finish(outcome: Outcome): void {
    const [resolve, finished] = [this.#resolve, this.#finished]
    if (resolve === undefined || finished === undefined) return
    this.#resolve = undefined
    this.#clock.timetable.remove(this)
    try {
      resolve(finished(outcome))
    } catch (error) {
      resolve(Promise.reject(error))
    }
  }
}
