import type { ExchangeEvent } from './event.ts'

/** One message for the client of a round, as text. */
export interface Frame {
  /** One JSON-RPC message in one line. Empty when a round ends with nothing to say. */
  readonly text: string
  /** The last frame of its round. Exactly one frame is: that of the outcome or of the end. */
  readonly last: boolean
  /** The HTTP status, should this frame be the whole answer. */
  readonly status?: number | undefined
}

/** Turns the events of one round into frames for one view. Calls nothing impure. */
export interface Renderer {
  /** `undefined`: this client is not told of the event. */
  render(event: ExchangeEvent): Frame | undefined
}
