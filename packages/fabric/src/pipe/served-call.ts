import type { ExchangeEvent, Handler, Host } from '@junctor/exchange'
import { HolderSide, type WayToCaller } from '../call/holder-side.ts'
import type { CallFrame, CallOpening } from '../wire/call-frame.ts'
import { frameLimitMessages } from '../wire/frame-limit.ts'
import { printCallFrame } from '../wire/print-call-frame.ts'

/** What a call that is served here needs of its end of the pipe. */
export interface ServedCallHost extends Pick<Host, 'nextId' | 'now'> {
  /** Sends a frame. Returns its size in bytes, or undefined when it is too large. */
  sendBack(call: number, text: string): number | undefined
  /** Called when the call has ended on both sides. */
  finished(call: number): void
}

/** A call of the other end of the pipe. */
export class ServedCall implements WayToCaller {
  readonly tooLarge: string = frameLimitMessages.pipe
  readonly #host: ServedCallHost
  readonly #number: number
  readonly #side: HolderSide

  constructor(host: ServedCallHost, number: number, opening: CallOpening) {
    this.#host = host
    this.#number = number
    this.#side = new HolderSide(this, host, opening)
  }

  run(handler: Handler): void {
    this.#side.run(handler)
  }

  take(frame: CallFrame): void {
    this.#side.take(frame)
  }

  /** Called when the other end is lost: ends the handler's exchange, and the asks that would outlive it. */
  end(): void {
    this.#side.end('disconnected')
    this.#side.cancelAsks('The question was withdrawn: the process that asked it is gone')
    this.idle()
  }

  send(event: ExchangeEvent): number | undefined {
    return this.#host.sendBack(this.#number, printCallFrame(event))
  }

  idle(): void {
    this.#host.finished(this.#number)
  }
}
