import type { Clock } from '../../src/shared/clock.ts'
import type { Timed } from '../../src/shared/deadlines.ts'

/** A clock that the test controls. */
export interface ManualClock extends Clock {
  /** Advances the time, and expires the items that are due. */
  advance(ms: number): void
  /** The number of items that wait for their deadline. */
  readonly waiting: number
}

/** Starts at 1000000 ms, and stands still until the test advances it. */
export function createManualClock(): ManualClock {
  const items = new Set<Timed>()
  let time = 1_000_000

  return {
    now: () => time,
    deadlines: {
      add: (item) => void items.add(item),
      remove: (item) => items.delete(item),
      items: () => items,
      close: () => items.clear(),
    },
    advance(ms) {
      time += ms
      for (const item of [...items].filter((candidate) => candidate.deadline <= time)) {
        if (items.delete(item)) item.expire(time)
      }
    },
    get waiting() {
      return items.size
    },
  }
}
