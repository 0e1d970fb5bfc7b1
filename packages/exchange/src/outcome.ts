import type { Payload, WireError } from '@junctor/jsonrpc'
import type { ClientRequest } from '@junctor/protocol'

/** The input that a backend needs before it can continue: requests to the client by key. */
type InputRequests = Readonly<Record<string, ClientRequest>>

/**
 * How the way to a backend was lost before it answered. `unsent`: before any of the request was written, so nothing has
 * run. `cut`: later, so the request may have run.
 */
export type Loss = 'unsent' | 'cut'

/**
 * How a request ended. Errors are values; nothing is thrown to the caller. `input_required`: the request must be sent again,
 * with the answers to these requests (2026-07-28). `loss` is set by the code that has lost a link or a connection, never from a
 * message: an error without it is an answer.
 */
export type Outcome =
  | { readonly kind: 'complete'; readonly result: Payload }
  | { readonly kind: 'input_required'; readonly requests: InputRequests; readonly state?: string }
  | ErrorOutcome

/** A request that has failed. */
export interface ErrorOutcome {
  readonly kind: 'error'
  readonly error: WireError
  readonly loss?: Loss
}

/** Why a request was ended from outside before its handler settled it. */
export type EndReason = 'cancelled' | 'disconnected' | 'deadline' | 'session_ended' | 'lease_lost' | 'shutdown'
