import type { Timetable } from './timetable.ts'

/** Time, as the gateway's parts are given it. */
export interface Clock {
  /** Epoch milliseconds. */
  readonly now: () => number
  readonly timetable: Timetable
}
