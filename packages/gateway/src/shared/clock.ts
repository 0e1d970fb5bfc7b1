import type { Deadlines } from './deadlines.ts'

/** The source of time for all parts of the gateway. */
export interface Clock {
  /** Epoch milliseconds. */
  readonly now: () => number
  readonly deadlines: Deadlines
}
