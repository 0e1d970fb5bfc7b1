import type { CallTarget } from '@junctor/contracts'
import type { EndListener, EndReason, Exchange, Outcome } from '@junctor/exchange'
import type { Request } from '@junctor/jsonrpc'
import { CallerSide, type WayToHolder } from '../call/caller-side.ts'
import type { CallFrame } from '../wire/call-frame.ts'
import { inFull } from '../wire/context-names.ts'
import { frameLimitMessages } from '../wire/frame-limit.ts'
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

/** A call of this end of the pipe. */
export class PlacedCall implements WayToHolder, EndListener {
  readonly #owner: PlacedCallOwner
  readonly #number: number
  readonly #to: CallTarget
  readonly #exchange: Exchange
  readonly #side: CallerSide
  #over = false

  constructor(owner: PlacedCallOwner, number: number, to: CallTarget, request: Request, exchange: Exchange) {
    this.#owner = owner
    this.#number = number
    this.#to = to
    this.#exchange = exchange
    this.#side = new CallerSide(this, request, exchange)
  }

  get outcome(): Promise<Outcome> {
    return this.#side.outcome
  }

  place(): void {
    const opening = printOpening(this.#side.opening(this.#to.service), inFull)
    if (this.#owner.send('opening', this.#number, opening)) this.#exchange.onEnd(this)
    else this.#side.fail('too_large', frameLimitMessages.pipe)
  }

  take(frame: CallFrame, bytes: number): void {
    switch (frame.kind) {
      case 'refused':
        this.#side.failWithoutHolder(this.#to)
        break
      case 'outcome':
        this.#side.settle(frame.outcome)
        break
      case 'end':
        // After an end of this side it is the echo: guessed asks may still be answered.
        if (!this.#side.settled) this.lost()
        break
      case 'ask':
        if (this.#side.openAsks < mostAsks) this.#side.apply(frame, bytes)
        else this.#refuse(frame.id, bytes)
        break
      case 'ack':
      case 'progress':
      case 'chunk':
      case 'notification':
      case 'withdrawn':
        this.#side.apply(frame, bytes)
        break
      case 'task_started':
        // Only the gateway says that of its own jobs, and the other end may be faulty.
        this.#side.taken(bytes)
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
    this.#side.taken(bytes)
  }

  /** Called when the caller's exchange has ended. */
  ended(reason: EndReason): void {
    this.send({ kind: 'end', reason })
    this.#side.fail('backend_exited')
  }

  /** Called when the other end, or the sense of its frames, is lost. */
  lost(): void {
    this.send({ kind: 'end', reason: 'disconnected' })
    this.#side.failAsCut()
    this.#side.withdrawAsks('the process that asked is gone')
    this.idle()
  }

  send(frame: CallFrame): void {
    if (!this.#over) this.#owner.send('toHolder', this.#number, printCallFrame(frame))
  }

  idle(): void {
    if (this.#over) return
    this.#over = true
    this.#owner.over(this.#number)
  }

  #refuse(askId: string, bytes: number): void {
    if (this.#side.settled) return
    this.#side.refuseAsk(askId, 'overloaded')
    this.#side.taken(bytes)
  }
}
