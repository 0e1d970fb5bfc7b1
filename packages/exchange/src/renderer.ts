import type { ExchangeEvent } from './event.ts'
import type { Outcome } from './outcome.ts'

/** One message for the client of a round, as text. */
export interface Frame {
  /** One JSON-RPC message in one line. Empty when a round ends without a message. */
  readonly text: string
  /** Whether this is the last frame of its round. Exactly one frame is: that of the outcome or of the end. */
  readonly last: boolean
  /** The HTTP status if this frame is the entire answer. */
  readonly status?: number | undefined
}

/** Converts the events of one round into frames for one view. It is pure. */
export interface Renderer {
  /** See `Outlet.overflow`. */
  readonly overflow: Outcome | undefined
  /** Returns the frame of an event. `undefined`: this client does not receive the event. */
  render(event: ExchangeEvent): Frame | undefined
}
