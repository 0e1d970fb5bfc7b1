import type { ExchangeEvent } from './event.ts'
import type { View } from './view.ts'

/** Where the events of an exchange go now. */
export interface Outlet {
  readonly view: View
  /** A promise means that the reader is slow: wait before the next chunk. The last event is the outcome or the end. */
  write(event: ExchangeEvent): Promise<void> | undefined
}
