import type {
  Closed,
  EndListener,
  EndReason,
  Exchange,
  Outcome,
  ListNode,
  Request,
  RequestId,
  Response,
  ResponseListener,
} from '@junctor/plugin-sdk/link'
import { failedCall, lostCall } from '../link/errors.ts'
import { outcomeOf } from '../link/outcome-of.ts'
import type { RelayedCall } from '../link/upstream-relay.ts'

/** What a call needs from its link. */
export interface PeerCallHost {
  readonly backend: string
  /** The call is settled. */
  finished(call: PeerCall): void
  /** Called when the caller has gone: the link no longer waits for the response, and cancels the call upstream. */
  cancel(call: PeerCall, reason: EndReason): void
}

/** One call on a connection: ends with the upstream's response, or when the caller's exchange ends. */
export class PeerCall implements ResponseListener, EndListener, RelayedCall {
  readonly request: Request
  readonly exchange: Exchange
  readonly progressToken: number | undefined
  /** The upstream's id of the call. */
  id: RequestId | undefined
  place: ListNode<RelayedCall> | undefined = undefined
  /** Whether it is settled. */
  over = false
  readonly outcome: Promise<Outcome>
  readonly #host: PeerCallHost
  readonly #resolve: (outcome: Outcome) => void

  constructor(host: PeerCallHost, request: Request, exchange: Exchange, progressToken: number | undefined) {
    const { promise, resolve } = Promise.withResolvers<Outcome>()
    this.outcome = promise
    this.#resolve = resolve
    this.#host = host
    this.request = request
    this.exchange = exchange
    this.progressToken = progressToken
  }

  settled(end: Response | Closed): void {
    if (end.kind === 'closed') this.drop()
    else this.#settle(outcomeOf(end))
  }

  drop(): void {
    this.#settle(lostCall(this.request, this.exchange, 'cut', this.#host.backend))
  }

  ended(reason: EndReason): void {
    if (this.over) return
    this.#host.cancel(this, reason)
    const situation = reason === 'deadline' ? 'deadline_exceeded' : 'cancelled'
    this.#settle(failedCall(this.request, this.exchange, situation, { backend: this.#host.backend }))
  }

  #settle(outcome: Outcome): void {
    if (this.over) return
    this.over = true
    this.#host.finished(this)
    this.#resolve(outcome)
  }
}
