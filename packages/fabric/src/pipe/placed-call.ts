import type { CallTarget } from '@junctor/contracts'
import {
  type AskEvent,
  type EndListener,
  type EndReason,
  type Exchange,
  type OrdinaryEvent,
  type Outcome,
  ForwardedAsks,
  forwardOneWayEvent,
} from '@junctor/exchange'
import type { Request } from '@junctor/jsonrpc'
import { type Situation, wireError } from '@junctor/protocol'
import { callView } from '../call-view.ts'
import { noHolderOutcome } from '../no-holder-outcome.ts'
import type { CallFrame } from '../wire/call-frame.ts'
import { inFull } from '../wire/context-names.ts'
import { CreditReturn } from '../wire/credit.ts'
import { frameLimitMessage } from '../wire/frame-limit.ts'
import { printCallFrame, printOpening } from '../wire/print-call-frame.ts'

/** What a call from here needs of its end of the pipe. */
export interface PlacedCallOwner {
  /** Sends a frame. Returns false when it is too large. */
  send(kind: 'opening' | 'toHolder', call: number, text: string): boolean
  /** Called when nothing more of the call is expected. */
  over(call: number): void
}

/** How many questions of one call may be open. The holder may be faulty; more are refused. */
const mostAsks = 256

/** A call of this end, whose events are applied to the caller's exchange. */
export class PlacedCall implements EndListener {
  readonly outcome: Promise<Outcome>
  readonly #owner: PlacedCallOwner
  readonly #number: number
  readonly #to: CallTarget
  readonly #request: Request
  readonly #exchange: Exchange
  readonly #resolve: (outcome: Outcome) => void
  readonly #credit = new CreditReturn()
  #asks: ForwardedAsks | undefined = undefined
  #settled = false
  #over = false

  constructor(owner: PlacedCallOwner, number: number, to: CallTarget, request: Request, exchange: Exchange) {
    const { promise, resolve } = Promise.withResolvers<Outcome>()
    this.outcome = promise
    this.#resolve = resolve
    this.#owner = owner
    this.#number = number
    this.#to = to
    this.#request = request
    this.#exchange = exchange
  }

  place(): void {
    const { id, context, deadline, attempt, wantsProgress } = this.#exchange
    const opening = { service: this.#to.service, exchange: id, request: this.#request, context, deadline, attempt }
    if (this.#owner.send('opening', this.#number, printOpening({ ...opening, wantsProgress }, inFull))) {
      this.#exchange.onEnd(this)
    } else {
      this.#fail('too_large', frameLimitMessage)
    }
  }

  take(frame: CallFrame, bytes: number): void {
    switch (frame.kind) {
      case 'refused':
        this.#settle(noHolderOutcome(this.#to, this.#request, this.#exchange))
        break
      case 'outcome':
        this.#settle(frame.outcome)
        break
      case 'end':
        this.lost()
        break
      case 'ack':
      case 'progress':
      case 'chunk':
      case 'notification':
      case 'ask':
      case 'withdrawn':
        this.#apply(frame, bytes)
        break
      case 'accepted':
      case 'unknown_context':
      case 'answer':
      case 'taken':
        break
    }
  }

  /** Called with the size of a frame of a kind that only a later version knows. */
  skip(bytes: number): void {
    this.#taken(bytes)
  }

  /** Called when the caller's exchange has ended. */
  ended(reason: EndReason): void {
    this.#send({ kind: 'end', reason })
    this.#fail('backend_exited')
  }

  /** Called when the other end, or the sense of its frames, is lost. */
  lost(): void {
    this.#send({ kind: 'end', reason: 'disconnected' })
    const error = wireError('backend_exited', callView(this.#request, this.#exchange))
    this.#settle({ kind: 'error', error, loss: 'cut' })
    this.#asks?.withdrawAll('the process that asked is gone')
    this.#stopWhenIdle()
  }

  /** Applies an event to the caller's exchange. Its credit is returned when the caller has taken it. */
  #apply(event: OrdinaryEvent, bytes: number): void {
    if (this.#settled) return
    let slow: Promise<void> | undefined = undefined
    if (event.kind === 'ask') void this.#ask(event)
    else if (event.kind === 'withdrawn') this.#asks?.withdraw(event)
    else slow = forwardOneWayEvent(event, this.#exchange)
    if (slow === undefined) this.#taken(bytes)
    else void slow.then(() => this.#taken(bytes))
  }

  #taken(bytes: number): void {
    if (this.#settled) return
    const credit = this.#credit.take(bytes)
    if (credit !== undefined) this.#send({ kind: 'taken', ...credit })
  }

  async #ask(event: AskEvent): Promise<void> {
    this.#asks ??= new ForwardedAsks(this.#exchange)
    const answer =
      this.#asks.size < mostAsks
        ? await this.#asks.forward(event)
        : { error: wireError('overloaded', callView(this.#request, this.#exchange)) }
    this.#send({ kind: 'answer', id: event.id, answer })
    if (this.#settled) this.#stopWhenIdle()
  }

  #send(frame: CallFrame): void {
    if (!this.#over) this.#owner.send('toHolder', this.#number, printCallFrame(frame))
  }

  #fail(situation: Situation, message?: string): void {
    const details = message === undefined ? {} : { message }
    this.#settle({ kind: 'error', error: wireError(situation, callView(this.#request, this.#exchange), details) })
  }

  /** Settles the outcome. Guessed asks may still be answered. */
  #settle(outcome: Outcome): void {
    if (this.#settled) return
    this.#settled = true
    this.#resolve(outcome)
    this.#stopWhenIdle()
  }

  #stopWhenIdle(): void {
    if (this.#over || !this.#settled || this.#asks?.size) return
    this.#over = true
    this.#owner.over(this.#number)
  }
}
