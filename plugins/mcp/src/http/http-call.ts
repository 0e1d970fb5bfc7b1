import {
  type EndListener,
  type EndReason,
  type Exchange,
  methods,
  type Notification,
  type Outcome,
  type ListNode,
  type Request,
  type Response,
} from '@junctor/plugin-sdk/link'
import type { AnswerListener, HttpFailure, HttpSession, PendingAnswer } from '@junctor/transport-http/back'
import { cancellation } from '../link/cancellation.ts'
import { failedCall, lostCall } from '../link/errors.ts'
import { outcomeOf } from '../link/outcome-of.ts'
import type { RelayedCall } from '../link/upstream-relay.ts'
import { isVersionRefused } from '../link/version-refused.ts'

/** What a call needs from its link. */
export interface HttpCallHost {
  readonly backend: string
  /** Called with an upstream message on the call's own stream. */
  related(message: Request | Notification, call: HttpCall, session: HttpSession): void
  /** Called when the request has failed: the link settles the call, or sends it once more. */
  failed(call: HttpCall, failure: HttpFailure, session: HttpSession): void
  /** Called when the server refuses the version of the session: the link settles the call, or sends it once more. */
  versionRefused(call: HttpCall, response: Response, session: HttpSession): void
  /** Called when the call is settled; with the response if there was one. */
  finished(call: HttpCall, response: Response | undefined): void
}

/** The parameters of a call. */
export interface HttpCallStart {
  /** The request as the caller sent it. */
  readonly request: Request
  /** The request as the upstream receives it. */
  readonly sent: Request
  readonly exchange: Exchange
  readonly progressToken: number | undefined
}

/** One call over HTTP: reads its own stream, and ends when the caller's exchange ends. */
export class HttpCall implements AnswerListener, EndListener, RelayedCall {
  /** The request as the caller sent it. */
  readonly request: Request
  readonly exchange: Exchange
  readonly progressToken: number | undefined
  place: ListNode<RelayedCall> | undefined = undefined
  /** Whether the request was sent once and the server refused it without running it. */
  retried = false
  readonly #host: HttpCallHost
  /** The request as the upstream receives it. */
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
    if (isVersionRefused(response) && this.#session !== undefined) {
      this.#answer = undefined
      return this.#host.versionRefused(this, response, this.#session)
    }
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
    this.settle(failedCall(this.request, this.exchange, situation, { backend: this.#host.backend }))
  }

  drop(): void {
    this.#answer?.abandon()
    // Without a pending answer the request was not sent, or the server refused it without running it.
    const loss = this.#answer === undefined ? 'unsent' : 'cut'
    this.settle(lostCall(this.request, this.exchange, loss, this.#host.backend))
  }

  settle(outcome: Outcome, response?: Response): void {
    if (this.#over) return
    this.#over = true
    this.#host.finished(this, response)
    this.#outcome.resolve(outcome)
  }
}
