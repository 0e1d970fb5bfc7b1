import type { BackendEntry } from '../backend-entry.ts'
import type { Clock } from '../clock.ts'
import type { Timed } from '../timetable.ts'

/** Who waits for a place among a backend's links, and for pauses to end. */
export interface LinkQueue {
  /** Resolves when a place may be free: true, or false when the wait was too long. First come, first served. */
  wait(entry: BackendEntry): Promise<boolean>
  /** A place of the backend may be free. */
  freed(entry: BackendEntry): void
  /** Resolves after the milliseconds. */
  pause(ms: number): Promise<void>
  /** Ends every wait. */
  close(): void
}

interface Waiter extends Timed {
  done(free: boolean): void
}

export function createLinkQueue({ timetable, now }: Clock): LinkQueue {
  const waiters = new Map<BackendEntry, Set<Waiter>>()
  const pauses = new Set<Waiter>()

  const start = (list: Set<Waiter>, ms: number): Promise<boolean> =>
    new Promise((resolve) => {
      const waiter: Waiter = {
        deadline: now() + ms,
        expire: () => waiter.done(false),
        done(free) {
          list.delete(waiter)
          timetable.remove(waiter)
          resolve(free)
        },
      }
      list.add(waiter)
      timetable.add(waiter)
    })

  return {
    wait(entry) {
      let list = waiters.get(entry)
      if (list === undefined) waiters.set(entry, (list = new Set()))
      return start(list, entry.timeoutMs)
    },
    freed(entry) {
      const [first] = waiters.get(entry) ?? []
      first?.done(true)
    },
    async pause(ms) {
      await start(pauses, ms)
    },
    close() {
      for (const list of [pauses, ...waiters.values()]) for (const waiter of list) waiter.done(false)
    },
  }
}
