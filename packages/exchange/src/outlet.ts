import type { ExchangeEvent } from './event.ts'
import type { Outcome } from './outcome.ts'
import type { View } from './view.ts'

/** The current target of the events of an exchange. */
export interface Outlet {
  readonly view: View
  /**
   * Whether it also takes calls of other tools, because it forwards events to an exchange or node that can make them.
   * Default: it writes for a client, and such calls are refused.
   */
  readonly forwards?: boolean
  /**
   * Writes an event. A returned promise means that the reader is slow; until it settles, only the rest of a closed
   * exchange is written. The last event is the outcome or the end. Never throws, and the promise never rejects: a lost
   * reader is reported elsewhere.
   */
  write(event: ExchangeEvent): Promise<void> | undefined
  /**
   * The only outcome that is left, because the chunks are too large for this outlet: the request ends with it, and its
   * handler is stopped. Read after each chunk. Absent: the outlet keeps no chunks.
   */
  readonly overflow?: Outcome | undefined
  /** See `Exchange.begun`. Absent: this outlet ignores it. */
  begun?(): void
}
