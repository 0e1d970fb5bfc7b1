import type { BackendEntry } from '../../shared/backend-entry.ts'
import type { Clock } from '../../shared/clock.ts'
import type { Timed } from '../../shared/timetable.ts'

/** The places that each backend has for links on this node, and who waits for one. First come, first served. */
export interface LinkPlaces {
  /** Takes a place if one is free; false when all are taken. */
  take(entry: BackendEntry): boolean
  /** Waits for a place as long as a call of the backend may take. True: it is taken. False also when `signal` aborts. */
  wait(entry: BackendEntry, signal: AbortSignal): Promise<boolean>
  /** Gives a place back; whoever has waited longest has it then. */
  leave(entry: BackendEntry): void
  taken(entry: BackendEntry): number
  waiting(entry: BackendEntry): number
}

interface Waiter extends Timed {
  done(taken: boolean): void
}

interface Places {
  taken: number
  readonly waiters: Set<Waiter>
}

export function createLinkPlaces({ timetable, now }: Clock): LinkPlaces {
  const backends = new WeakMap<BackendEntry, Places>()

  const of = (entry: BackendEntry): Places => {
    let places = backends.get(entry)
    if (places === undefined) backends.set(entry, (places = { taken: 0, waiters: new Set() }))
    return places
  }

  return {
    take(entry) {
      const places = of(entry)
      if (places.taken >= entry.maxLinks) return false
      places.taken += 1
      return true
    },
    wait(entry, signal) {
      if (signal.aborted) return Promise.resolve(false)
      const { waiters } = of(entry)
      return new Promise((resolve) => {
        const giveUp = (): void => waiter.done(false)
        const waiter: Waiter = {
          deadline: now() + entry.timeoutMs,
          expire: giveUp,
          done(taken) {
            waiters.delete(waiter)
            timetable.remove(waiter)
            signal.removeEventListener('abort', giveUp)
            resolve(taken)
          },
        }
        waiters.add(waiter)
        timetable.add(waiter)
        signal.addEventListener('abort', giveUp)
      })
    },
    leave(entry) {
      const places = of(entry)
      const [first] = places.waiters
      if (first === undefined) places.taken -= 1
      else first.done(true)
    },
    taken: (entry) => of(entry).taken,
    waiting: (entry) => of(entry).waiters.size,
  }
}
