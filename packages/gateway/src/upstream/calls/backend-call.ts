import type { AskOptions, ClientRequest, EndReason, NotificationBody, Outcome } from '@junctor/exchange'
import type { Answer } from '@junctor/jsonrpc'
import type { ListNode } from '@junctor/primitives'
import type { Clock } from '../../shared/clock.ts'
import type { DerivedExchange, ExchangeChanges } from '../../shared/derived-exchange.ts'
import { deriveExchange } from '../../shared/derived-exchange.ts'
import { backendError } from '../../shared/errors.ts'
import { askerIn } from '../../shared/prefix-in.ts'
import type { Timed } from '../../shared/deadlines.ts'
import type { LinkSlot } from '../links/link-slot.ts'
import { mapAsk } from '../mapping/map-ask.ts'
import { mapNotification } from '../mapping/map-notification.ts'
import type { Call } from './call.ts'
import { failed } from './failed.ts'

/** Called when a backend's code threw where it must not. Must not throw itself. */
export type ReportPluginError = (slot: LinkSlot, error: unknown) => void

/**
 * One call of one backend. Its exchange differs from the caller's exchange: questions are checked and marked with the
 * name of the backend, log messages are filtered, and the backend has its own deadline, which pauses while a question
 * is open.
 */
export class BackendCall implements ExchangeChanges, Timed {
  place: ListNode<Timed> | undefined = undefined
  /** The exchange that the backend gets. */
  readonly exchange: DerivedExchange
  readonly #call: Call
  readonly #slot: LinkSlot
  readonly #clock: Clock
  readonly #crashed: ReportPluginError
  #deadline: number
  #asks = 0
  #askedAt = 0
  // Two fields: with one closure over both, calls that have ended stay in memory until the next full collection.
  #resolve: ((outcome: Outcome | Promise<Outcome>) => void) | undefined = undefined
  #finished: ((outcome: Outcome) => Outcome) | undefined = undefined

  constructor(call: Call, slot: LinkSlot, clock: Clock, crashed: ReportPluginError) {
    this.#call = call
    this.#slot = slot
    this.#clock = clock
    this.#crashed = crashed
    // No client waits for a job on a connection, so a job may take longer.
    const isJob = call.exchange.context.job !== undefined
    this.#deadline = isJob ? call.exchange.deadline : clock.now() + slot.entry.timeoutMs
    this.exchange = deriveExchange(call.exchange, this)
  }

  get deadline(): number {
    return this.#asks > 0 ? this.#deadline + (this.#clock.now() - this.#askedAt) : this.#deadline
  }

  notify(notification: NotificationBody): void {
    const mapped = mapNotification(this.#slot.entry, this.#call.caller, notification)
    if (mapped !== undefined) this.#call.exchange.notify(mapped)
  }

  async ask(request: ClientRequest, options?: AskOptions): Promise<Answer> {
    const { context, ended } = this.exchange
    const mapped = mapAsk(askerIn(this.#call.caller.tenant, this.#slot.entry), context, request)
    if (mapped.kind === 'refused')
      return { error: backendError(context, mapped.verdict.situation, mapped.verdict.message) }
    if (ended !== undefined) return { error: backendError(context, 'client_gone') }
    if (this.#asks++ === 0) this.#askedAt = this.#clock.now()
    try {
      const timeoutMs = this.#slot.entry.askTimeoutMs
      return await this.#call.exchange.ask(mapped.request, { timeoutMs, ...options })
    } finally {
      if (--this.#asks === 0) this.#deadline += this.#clock.now() - this.#askedAt
    }
  }

  /**
   * Waits for the backend's outcome, until the deadline or the end of the exchange at the latest.
   *
   * @param finished maps the outcome; called once
   */
  wait(work: Promise<Outcome>, finished: (outcome: Outcome) => Outcome): Promise<Outcome> {
    const { promise, resolve } = Promise.withResolvers<Outcome>()
    this.#resolve = resolve
    this.#finished = finished
    this.#clock.deadlines.add(this)
    this.exchange.follow()
    work.then(
      (outcome) => this.#finish(outcome),
      (error: unknown) => {
        this.crashed(error)
        this.#finish(failed(this.#call, 'internal_error', { backend: this.#slot.entry.backend.name }))
      },
    )
    return promise
  }

  expire(): void {
    this.exchange.end('deadline')
  }

  ended(reason: EndReason): void {
    const situation = reason === 'deadline' ? 'deadline_exceeded' : 'cancelled'
    this.#finish(failed(this.#call, situation, { backend: this.#slot.entry.backend.name }))
  }

  /** Reports that the backend's code threw where it must not. */
  crashed(error: unknown): void {
    this.#crashed(this.#slot, error)
  }

  /** Settles the call with the first outcome; later ones are ignored. */
  #finish(outcome: Outcome): void {
    const [resolve, finished] = [this.#resolve, this.#finished]
    if (resolve === undefined || finished === undefined) return
    this.#resolve = undefined
    this.#clock.deadlines.remove(this)
    try {
      resolve(finished(outcome))
    } catch (error) {
      resolve(Promise.reject(error))
    }
  }
}
