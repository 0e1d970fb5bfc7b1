import {
  createExchange,
  type EndReason,
  type ExchangeEvent,
  type Handler,
  type Host,
  type OpenExchange,
  type Outcome,
  type Outlet,
  relayView,
  type View,
} from '@junctor/exchange'
import { wireError } from '@junctor/protocol'
import type { CallFrame, CallOpening } from '../wire/call-frame.ts'
import { CreditWindow } from '../wire/credit.ts'
import { callView } from './call-view.ts'
import { runHandler } from './run-handler.ts'

/** What the holder's side of a call needs of the way to its caller. */
export interface WayToCaller {
  /** What a caller reads of an event that is too large. */
  readonly tooLarge: string
  /** Sends an event to the caller. Returns its size in bytes; `undefined` when it is too large. */
  send(event: ExchangeEvent): number | undefined
  /** Called when the exchange has ended and no ask is open. May be called more than once. */
  idle(): void
}

/** The holder's side of a call. Its handler has its own exchange, whose events are sent to the caller. */
export class HolderSide implements Outlet, Host {
  readonly forwards = true
  readonly view: View
  readonly #way: WayToCaller
  readonly #node: Pick<Host, 'nextId' | 'now'>
  readonly #exchange: OpenExchange
  readonly #window = new CreditWindow()
  #asks: Set<string> | undefined = undefined
  #closed = false

  constructor(way: WayToCaller, node: Pick<Host, 'nextId' | 'now'>, opening: CallOpening) {
    this.#way = way
    this.#node = node
    const { exchange: id, request, context, deadline, attempt, wantsProgress } = opening
    this.#exchange = createExchange({ id, request, context, deadline, attempt, wantsProgress }, this)
    this.view = relayView(this.#exchange)
  }

  get exchangeId(): string {
    return this.#exchange.id
  }

  /** Has the request handled. Its events go to the caller from now on. */
  run(handler: Handler): void {
    this.#exchange.attach(this)
    runHandler(handler, this.#exchange)
  }

  /** Takes an answer, a credit or the end of the caller. Other frames are ignored. */
  take(frame: CallFrame): void {
    if (frame.kind === 'answer') this.#exchange.answer(frame.id, frame.answer)
    else if (frame.kind === 'taken') this.#window.taken(frame)
    else if (frame.kind === 'end') this.end(frame.reason)
  }

  /** Ends the handler's exchange. Guessed asks may still be answered. */
  end(reason: EndReason): void {
    this.#exchange.end(reason)
  }

  /** Answers all open asks as cancelled. */
  cancelAsks(message: string): void {
    const exchange = this.#exchange
    for (const id of this.#asks ?? []) {
      exchange.answer(id, { error: wireError('cancelled', callView(exchange.request, exchange), { message }) })
    }
  }

  write(event: ExchangeEvent): Promise<void> | undefined {
    const bytes = this.#way.send(event)
    const isLast = event.kind === 'outcome' || event.kind === 'end'
    if (bytes !== undefined) return isLast ? undefined : this.#window.sent(bytes)
    if (isLast) this.#way.send({ kind: 'outcome', outcome: this.#tooLarge() })
    else this.#exchange.settle(this.#tooLarge())
    return undefined
  }

  // The host of the exchange. The caller's exchange sends its asks, and applies the timeouts.

  nextId(): string {
    return this.#node.nextId()
  }

  now(): number {
    return this.#node.now()
  }

  asked(id: string): void {
    this.#asks ??= new Set()
    this.#asks.add(id)
  }

  answered(id: string): void {
    this.#asks?.delete(id)
    this.#reportIdle()
  }

  closed(): void {
    this.#closed = true
    this.#window.end()
    this.#reportIdle()
  }

  #tooLarge(): Outcome {
    return { kind: 'error', error: wireError('too_large', this.view, { message: this.#way.tooLarge }) }
  }

  #reportIdle(): void {
    if (this.#closed && !this.#asks?.size) this.#way.idle()
  }
}
