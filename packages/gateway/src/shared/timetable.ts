import type { Caught } from '@junctor/contracts'
import { LinkedList, Place } from '@junctor/primitives'

/** Something that must happen at a time unless it is taken off first. */
export interface Timed {
  /** Epoch milliseconds. Read at each look, so it may move. */
  readonly deadline: number
  /** The exchange that it is about, for the log. Absent: none. */
  readonly id?: string | undefined
  /** Called once, no earlier than the deadline, and late by at most the tick. */
  expire(now: number): void
  /** The timetable's own: where it stands. */
  place?: Place<Timed> | undefined
}

/** Many deadlines on one timer, because a timer for each request costs more than the request. */
export interface Timetable {
  add(item: Timed): void
  /** False when it is not on the timetable. */
  remove(item: Timed): boolean
  /** All that is on it now. */
  items(): Iterable<Timed>
  /** Forgets everything; nothing expires any more. */
  close(): void
}

/** Deadlines are met to within this, in milliseconds: fine enough for time-outs of seconds, coarse enough to cost nothing. */
const tickMs = 50

/**
 * A timetable whose timer runs only while something is on it, and never keeps the process alive.
 *
 * @param caught told of an item that throws when it expires; the others go on
 */
export function createTimetable(now: () => number, caught: Caught): Timetable {
  const items = new LinkedList<Timed>()
  let timer: NodeJS.Timeout | undefined

  const remove = ({ place }: Timed): boolean => place !== undefined && items.remove(place)

  const look = (): void => {
    const time = now()
    for (const item of items.items()) {
      // One that has expired may have taken others off.
      try {
        if (item.deadline <= time && remove(item)) item.expire(time)
      } catch (error) {
        caught('timer', error, { exchange: item.id })
      }
    }
    // The timer outlives the last item by one tick: a steady trickle of short items then starts no timers.
    if (items.first !== undefined) return
    clearInterval(timer)
    timer = undefined
  }

  return {
    add(item) {
      items.append((item.place ??= new Place(item)))
      timer ??= setInterval(look, tickMs).unref()
    },
    remove,
    items: () => items.items(),
    close() {
      for (const item of items.items()) remove(item)
      clearInterval(timer)
      timer = undefined
    },
  }
}
