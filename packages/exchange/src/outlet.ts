import type { ExchangeEvent } from './event.ts'
import type { View } from './view.ts'

/** Where the events of an exchange go now. */
export interface Outlet {
  readonly view: View
  /**
   * A promise means that the reader is slow. Until it settles only the rest of a closed exchange is written. The last
   * event is the outcome or the end. Never throws, and the promise never rejects: who is lost shows elsewhere.
   */
  write(event: ExchangeEvent): Promise<void> | undefined
  /** As `Exchange.begun`. Absent: it makes no difference here. */
  begun?(): void
}
