import type { CallTarget } from '@junctor/contracts'
import {
  type AskEvent,
  type Exchange,
  ForwardedAsks,
  forwardOneWayEvent,
  type OrdinaryEvent,
  type Outcome,
} from '@junctor/exchange'
import type { Answer, Request } from '@junctor/jsonrpc'
import { type Situation, wireError } from '@junctor/protocol'
import type { CallFrame, CallOpening } from '../wire/call-frame.ts'
import { CreditReturn } from '../wire/credit.ts'
import { callView } from './call-view.ts'
import { noHolderOutcome } from './no-holder-outcome.ts'

/** What the caller's side of a call needs of the way to its holder. */
export interface WayToHolder {
  /** Sends a frame to the holder. */
  send(frame: CallFrame): void
  /** Called when the outcome is settled and no ask is open. May be called more than once. */
  idle(): void
}

/** The caller's side of a call: applies the events of the holder to the caller's exchange, and settles the outcome. */
export class CallerSide {
  readonly outcome: Promise<Outcome>
  readonly #way: WayToHolder
  readonly #request: Request
  readonly #exchange: Exchange
  readonly #resolve: (outcome: Outcome) => void
  readonly #credit = new CreditReturn()
  #asks: ForwardedAsks | undefined = undefined
  #openAsks = 0
  #settled = false

  constructor(way: WayToHolder, request: Request, exchange: Exchange) {
    const { promise, resolve } = Promise.withResolvers<Outcome>()
    this.outcome = promise
    this.#resolve = resolve
    this.#way = way
    this.#request = request
    this.#exchange = exchange
  }

  get settled(): boolean {
    return this.#settled
  }

  /** Whether nothing more is expected: the outcome is settled, and no ask is open. */
  get isIdle(): boolean {
    return this.#settled && this.openAsks === 0
  }

  /** How many asks of the holder were not answered to it yet. */
  get openAsks(): number {
    return this.#openAsks
  }

  /** The first frame of the call. */
  opening(service: string): CallOpening {
    const { id, context, deadline, attempt, wantsProgress } = this.#exchange
    return { service, exchange: id, request: this.#request, context, deadline, attempt, wantsProgress }
  }

  /** Applies an event to the caller's exchange. Its credit is returned when the caller has taken it. */
  apply(event: OrdinaryEvent, bytes: number): void {
    if (this.#settled) {
      // Sent before the holder knew of the end. Its asker may be another request, which waits for the answer.
      if (event.kind === 'ask') this.refuseAsk(event.id, 'cancelled', 'The call in which this was asked is over')
      return
    }
    let slow: Promise<void> | undefined = undefined
    if (event.kind === 'ask') void this.#ask(event)
    else if (event.kind === 'withdrawn') this.#asks?.withdraw(event)
    else slow = forwardOneWayEvent(event, this.#exchange)
    if (slow === undefined) this.taken(bytes)
    else void slow.then(() => this.taken(bytes))
  }

  /** Returns the credit for a frame of this size. */
  taken(bytes: number): void {
    if (this.#settled) return
    const credit = this.#credit.take(bytes)
    if (credit !== undefined) this.#way.send({ kind: 'taken', ...credit })
  }

  /** Settles the outcome. Guessed asks may still be answered, and the holder may still need the end. */
  settle(outcome: Outcome): void {
    if (this.#settled) return
    this.#settled = true
    this.#resolve(outcome)
    this.#reportIdle()
  }

  /** Settles the outcome as an error. */
  fail(situation: Situation, message?: string): void {
    const details = message === undefined ? {} : { message }
    this.settle({ kind: 'error', error: wireError(situation, this.#view, details) })
  }

  /** Settles the outcome of a call that no holder has. */
  failWithoutHolder(to: CallTarget): void {
    this.settle(noHolderOutcome(to, this.#request, this.#exchange))
  }

  /**
   * Settles the outcome of a call whose holder is lost, and answers all open asks as cancelled: another request of the holder
   * may wait for guessed asks. The client may still answer them; nothing is sent then.
   */
  failAsCut(): void {
    const answer = this.#refusal('cancelled', 'The call in which this was asked is lost')
    for (const id of this.#asks?.ids ?? []) this.#way.send({ kind: 'answer', id, answer })
    this.settle({ kind: 'error', error: wireError('backend_exited', this.#view), loss: 'cut' })
  }

  /** Answers an ask without asking the client. */
  refuseAsk(id: string, situation: Situation, message?: string): void {
    this.#way.send({ kind: 'answer', id, answer: this.#refusal(situation, message) })
  }

  /** Withdraws all open asks from the client. */
  withdrawAsks(reason: string): void {
    this.#asks?.withdrawAll(reason)
  }

  get #view(): ReturnType<typeof callView> {
    return callView(this.#request, this.#exchange)
  }

  #refusal(situation: Situation, message?: string): Answer {
    return { error: wireError(situation, this.#view, message === undefined ? {} : { message }) }
  }

  async #ask(event: AskEvent): Promise<void> {
    this.#asks ??= new ForwardedAsks(this.#exchange)
    this.#openAsks += 1
    const answer = await this.#asks.forward(event)
    // Only now: other asks may be answered at the same time, and the way is closed when none is open.
    this.#openAsks -= 1
    this.#way.send({ kind: 'answer', id: event.id, answer })
    this.#reportIdle()
  }

  #reportIdle(): void {
    if (this.isIdle) this.#way.idle()
  }
}
