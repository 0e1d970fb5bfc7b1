/** Something that must happen at a time unless it is taken off first. */
export interface Timed {
  /** Epoch milliseconds. Read at each look, so it may move. */
  readonly deadline: number
  /** Called once, no earlier than the deadline, and late by at most the tick. */
  expire(now: number): void
}

/** Many deadlines on one timer, because a timer for each request costs more than the request. */
export interface Timetable {
  add(item: Timed): void
  remove(item: Timed): void
  readonly size: number
  /** Forgets everything; nothing expires any more. */
  close(): void
}

/** Deadlines are met to within this, in milliseconds: fine enough for time-outs of seconds, coarse enough to cost nothing. */
const tickMs = 50

/** A timetable whose timer runs only while something is on it, and never keeps the process alive. */
export function createTimetable(now: () => number): Timetable {
  const items = new Set<Timed>()
  let timer: NodeJS.Timeout | undefined

  const look = (): void => {
    const time = now()
    for (const item of items) {
      if (item.deadline > time) continue
      items.delete(item)
      item.expire(time)
    }
    // The timer outlives the last item by one tick: a steady trickle of short items then starts no timers.
    if (items.size > 0) return
    clearInterval(timer)
    timer = undefined
  }

  return {
    add(item) {
      items.add(item)
      timer ??= setInterval(look, tickMs).unref()
    },
    remove(item) {
      items.delete(item)
    },
    get size() {
      return items.size
    },
    close() {
      items.clear()
      clearInterval(timer)
      timer = undefined
    },
  }
}
