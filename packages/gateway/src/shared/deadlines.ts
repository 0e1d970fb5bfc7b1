import type { ErrorReporter } from '@junctor/contracts'
import { LinkedList, ListNode } from '@junctor/primitives'
import { eachGuarded } from './each-guarded.ts'

/** An item that expires at its deadline unless it is removed first. */
export interface Timed {
  /** Epoch milliseconds. The deadlines read it on each tick, so it may change. */
  readonly deadline: number
  /** The id of the exchange that the item belongs to, for the log. Absent: it belongs to none. */
  readonly id?: string | undefined
  /** Called once, not before the deadline and at most one tick after it. */
  expire(now: number): void
  /** Used by the deadlines only: the item's place in its list. */
  place?: ListNode<Timed> | undefined
}

/** Many deadlines on one timer: a timer for each request would cost more than the request. */
export interface Deadlines {
  add(item: Timed): void
  /** Returns false when the item is not in the table. */
  remove(item: Timed): boolean
  /** All items that are in the table now. */
  items(): Iterable<Timed>
  /** Removes all items; none of them expires. */
  close(): void
}

/** How exactly deadlines are met, in milliseconds: fine enough for timeouts of seconds, and cheap. */
const tickMs = 50

/**
 * A table of deadlines whose timer runs only while it has items, and never keeps the process alive.
 *
 * @param reportError called with the error of an item that throws when it expires; the other items still expire
 */
export function createDeadlines(now: () => number, reportError: ErrorReporter): Deadlines {
  const items = new LinkedList<Timed>()
  let timer: NodeJS.Timeout | undefined

  const remove = ({ place }: Timed): boolean => place !== undefined && items.remove(place)

  /** An item that expired just now may have removed others. */
  const expire = (item: Timed, time: number): void => {
    if (item.deadline <= time && remove(item)) item.expire(time)
  }
  const failed = (error: unknown, { id }: Timed): void => reportError('timer', error, { exchange: id })

  const expireDue = (): void => {
    const time = now()
    eachGuarded(items.items(), (item) => expire(item, time), failed)
    // The timer outlives the last item by one tick: a steady trickle of short items then starts no timers.
    if (items.first !== undefined) return
    clearInterval(timer)
    timer = undefined
  }

  return {
    add(item) {
      items.append((item.place ??= new ListNode(item)))
      timer ??= setInterval(expireDue, tickMs).unref()
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
