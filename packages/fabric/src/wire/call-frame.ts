import type { CallContext, ExchangeEvent } from '@junctor/exchange'
import type { Answer, Request } from '@junctor/jsonrpc'

/** The first frame of a call: everything that the holder needs for its exchange. */
export interface CallOpening {
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

/** How much the other end has taken, so that as much may follow. */
export interface Credit {
  /** The size of the frames, including a fixed amount for each. */
  readonly bytes: number
}

/**
 * The first frame of a call that any holder may take, instead of the opening. The holder that takes the call receives
 * the opening at an inbox that no other node knows. An inquiry that is delivered twice, to another holder, runs
 * nothing.
 */
export interface Inquiry {
  readonly kind: 'inquiry'
  readonly service: string
}

/**
 * The other frames of a call. The holder sends `accepted` or `refused` first, then the events of its exchange, unless
 * an immediate outcome makes `accepted` unnecessary. The caller sends answers and the end of its own exchange. Both
 * send `taken`; only events need it.
 */
export type CallFrame =
  | ExchangeEvent
  /** Frames to the holder go to this inbox of this node. */
  | { readonly kind: 'accepted'; readonly node: string; readonly token: string }
  /** This node does not serve the service, or no longer. */
  | { readonly kind: 'refused' }
  /**
   * This node does not know, or no longer knows, the context name of the opening, and waits for another with the
   * context.
   */
  | { readonly kind: 'unknown_context' }
  | { readonly kind: 'answer'; readonly id: string; readonly answer: Answer }
  | ({ readonly kind: 'taken' } & Credit)

/** The first line of nearly every outcome, so that it need not be printed or parsed; the result is the second line. */
export const completeHead: string = `${JSON.stringify({ kind: 'outcome', outcome: { kind: 'complete', result: 1 } })}\n`
