import {
  type EndListener,
  type EndReason,
  type Exchange,
  methods,
  type Notification,
  type Outcome,
  type Place,
  type Request,
  type Response,
} from '@junctor/plugin-sdk/link'
import type { AnswerListener, HttpFailure, HttpSession, PendingAnswer } from '@junctor/transport-http/back'
import { cancellation } from './cancellation.ts'
import { failed } from './errors.ts'
import { outcomeOf } from './outcome-of.ts'
import type { RelayedCall } from './upstream-relay.ts'

/** What a call needs from its link. */
export interface HttpCallHost {
  readonly backend: string
  /** A message of the upstream on the call's own stream. */
  related(message: Request | Notification, call: HttpCall, session: HttpSession): void
  /** The request has failed: the link settles the call, or sends it once more. */
  failed(call: HttpCall, failure: HttpFailure, session: HttpSession): void
  /** The call is settled; with the response when there was one. */
  finished(call: HttpCall, response: Response | undefined): void
}

/** What a call begins with. */
export interface HttpCallStart {
  /** As the caller sent it. */
  readonly request: Request
  /** As the upstream gets it. */
  readonly sent: Request
  readonly exchange: Exchange
  readonly progressToken: number | undefined
}

/** One call over HTTP: reads its own stream, and waits for the caller to lose interest. */
export class HttpCall implements AnswerListener, EndListener, RelayedCall {
  /** As the caller sent it. */
  readonly request: Request
  readonly exchange: Exchange
  readonly progressToken: number | undefined
  place: Place<RelayedCall> | undefined = undefined
  /** Whether the request has been sent once and was turned away unseen. */
  retried = false
  readonly #host: HttpCallHost
  /** As the upstream gets it. */
  readonly #sent: Request
  readonly #outcome = Promise.withResolvers<Outcome>()
  #session: HttpSession | undefined
  #answer: PendingAnswer | undefined
  #over = false

  constructor(host: HttpCallHost, { request, sent, exchange, progressToken }: HttpCallStart) {
    this.#host = host
    this.request = request
    this.#sent = sent
    this.exchange = exchange
    this.progressToken = progressToken
  }

  get outcome(): Promise<Outcome> {
    return this.#outcome.promise
  }

  /** Sends the request in a session. */
  send(session: HttpSession): void {
    if (this.#over) return
    this.#session = session
    this.#answer = session.request(this.#sent, this)
  }

  message(message: Request | Notification): void {
    if (this.#session !== undefined) this.#host.related(message, this, this.#session)
  }

  answered(response: Response): void {
    this.settle(outcomeOf(response), response)
  }

  failed(failure: HttpFailure): void {
    this.#answer = undefined
    if (this.#session !== undefined) this.#host.failed(this, failure, this.#session)
  }

  ended(reason: EndReason): void {
    if (this.#over) return
    const params = cancellation(this.#sent.id, reason)
    const method = methods.notificationsCancelled
    this.#answer?.abandon({ kind: 'notification', dialect: '2.0', method, params })
    const situation = reason === 'deadline' ? 'deadline_exceeded' : 'cancelled'
    this.settle(failed(this.request, this.exchange, situation, { backend: this.#host.backend }))
  }

  drop(): void {
    this.#answer?.abandon()
    // Without an answer under way it has not been sent, or was turned away.
    const situation = this.#answer === undefined ? 'backend_unavailable' : 'backend_exited'
    this.settle(failed(this.request, this.exchange, situation, { backend: this.#host.backend }))
  }

  settle(outcome: Outcome, response?: Response): void {
    if (this.#over) return
    this.#over = true
    this.#host.finished(this, response)
    this.#outcome.resolve(outcome)
  }
}
