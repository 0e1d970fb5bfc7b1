import type { Timetable } from '../shared/timetable.ts'
import { Round } from './round.ts'

/** The rounds of requests that have no answer yet, but for those that were answered at once. */
export function* openRounds(timetable: Pick<Timetable, 'items'>): Generator<Round> {
  for (const item of timetable.items()) if (item instanceof Round) yield item
}
