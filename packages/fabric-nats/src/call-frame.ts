import type { Answer, CallContext, ExchangeEvent } from '@junctor/exchange'
import type { Request } from '@junctor/jsonrpc'

/** The first frame of a call: everything that the holder's exchange is made from. */
export interface Opening {
  readonly service: string
  /** The id of the exchange, the same on both nodes. */
  readonly exchange: string
  readonly request: Request
  readonly context: CallContext
  /** Epoch milliseconds. */
  readonly deadline: number
  readonly attempt: number
  readonly wantsProgress: boolean
}

/** What the other end has taken, so that as much may follow. */
export interface Credit {
  /** Of the frames, with what each takes besides its text. */
  readonly bytes: number
}

/**
 * The first frame of a call that any holder may take, instead of the opening: whoever takes it is sent that, to an inbox
 * that nobody else was told. One that is sent a second time, and comes to another holder, runs nothing.
 */
export interface Inquiry {
  readonly kind: 'inquiry'
  readonly service: string
}

/**
 * The other frames of a call. The holder sends `accepted` or `refused` first, then the events of its exchange, unless the
 * outcome is there at once and says all; the caller sends answers and the end of its own. `taken` flows both ways; only events need it.
 */
export type CallFrame =
  | ExchangeEvent
  /** Frames for the holder go to this inbox of this node. */
  | { readonly kind: 'accepted'; readonly node: string; readonly token: string }
  /** This node does not serve the service (any more). */
  | { readonly kind: 'refused' }
  /** This node does not know the context that the opening named (any more), and waits for another opening that tells it. */
  | { readonly kind: 'unknown_context' }
  | { readonly kind: 'answer'; readonly id: string; readonly answer: Answer }
  | ({ readonly kind: 'taken' } & Credit)

/** The first line of the outcome of nearly every call, so that nobody has to print or parse it; its result is the second. */
export const completeHead: string = `${JSON.stringify({ kind: 'outcome', outcome: { kind: 'complete', result: 1 } })}\n`
