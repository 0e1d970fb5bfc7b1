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
import type { Answer } from '@junctor/jsonrpc'
import { wireError } from '@junctor/protocol'
import { callView } from '../call-view.ts'
import { runHandler } from '../run-handler.ts'
import type { CallFrame, CallOpening } from '../wire/call-frame.ts'
import { CreditWindow } from '../wire/credit.ts'
import { frameLimitMessage } from '../wire/frame-limit.ts'
import { printCallFrame } from '../wire/print-call-frame.ts'

/** What a call that is served here needs of its end of the pipe. */
export interface ServedCallHost {
  /** Sends a frame. Returns its size in bytes, or undefined when it is too large. */
  sendBack(call: number, text: string): number | undefined
  /** Creates ids for asks. */
  nextId(): string
  /** Epoch milliseconds. */
  now(): number
  /** Called when the call has ended on both sides. */
  finished(call: number): void
}

/** A call of the other end. Its handler has its own exchange, whose events are sent to the caller. */
export class ServedCall implements Outlet, Host {
  readonly forwards = true
  readonly view: View
  readonly #host: ServedCallHost
  readonly #number: number
  readonly #exchange: OpenExchange
  readonly #window = new CreditWindow()
  #asks: Set<string> | undefined = undefined
  #closed = false

  constructor(host: ServedCallHost, number: number, opening: CallOpening) {
    this.#host = host
    this.#number = number
    const { exchange: id, request, context, deadline, attempt, wantsProgress } = opening
    this.#exchange = createExchange({ id, request, context, deadline, attempt, wantsProgress }, this)
    this.view = relayView(this.#exchange)
  }

  run(handler: Handler): void {
    this.#exchange.attach(this)
    runHandler(handler, this.#exchange)
  }

  take(frame: CallFrame): void {
    if (frame.kind === 'answer') this.#exchange.answer(frame.id, frame.answer)
    else if (frame.kind === 'end') this.end(frame.reason)
    else if (frame.kind === 'taken') this.#window.taken(frame)
  }

  /** Ends the handler's exchange, and the asks that would outlive it. */
  end(reason: EndReason): void {
    this.#exchange.end(reason)
    for (const id of this.#asks ?? []) this.#exchange.answer(id, goneAnswer(this.#exchange))
    this.#host.finished(this.#number)
  }

  write(event: ExchangeEvent): Promise<void> | undefined {
    const bytes = this.#host.sendBack(this.#number, printCallFrame(event))
    const isLast = event.kind === 'outcome' || event.kind === 'end'
    if (bytes !== undefined) return isLast ? undefined : this.#window.sent(bytes)
    if (isLast) this.#host.sendBack(this.#number, printCallFrame({ kind: 'outcome', outcome: this.#tooLarge() }))
    else this.#exchange.settle(this.#tooLarge())
    return undefined
  }

  // The host of the exchange. The caller's exchange sends its asks, and applies the timeouts.

  nextId(): string {
    return this.#host.nextId()
  }

  now(): number {
    return this.#host.now()
  }

  asked(id: string): void {
    this.#asks ??= new Set()
    this.#asks.add(id)
  }

  answered(id: string): void {
    this.#asks?.delete(id)
    this.#stopWhenIdle()
  }

  closed(): void {
    this.#closed = true
    this.#window.end()
    this.#stopWhenIdle()
  }

  #tooLarge(): Outcome {
    return { kind: 'error', error: wireError('too_large', this.view, { message: frameLimitMessage }) }
  }

  #stopWhenIdle(): void {
    if (this.#closed && !this.#asks?.size) this.#host.finished(this.#number)
  }
}

function goneAnswer(exchange: OpenExchange): Answer {
  const message = 'The question was withdrawn: the process that asked it is gone'
  return { error: wireError('cancelled', callView(exchange.request, exchange), { message }) }
}
