import { keptOr } from '@junctor/primitives'
import type { BackendEntry } from '../../shared/backend-entry.ts'
import type { Clock } from '../../shared/clock.ts'
import type { Timed } from '../../shared/deadlines.ts'

/** Limits the links of each backend on this node. Scopes wait for a permit; first come, first served. */
export interface LinkPermits {
  /** Takes a permit if one is free. Returns false when all are taken. */
  take(entry: BackendEntry): boolean
  /**
   * Waits for a permit, at most for the timeout of the backend's calls. Returns false on timeout, and when `signal`
   * aborts.
   */
  wait(entry: BackendEntry, signal: AbortSignal): Promise<boolean>
  /** Returns a permit. If scopes wait, the one that has waited longest gets it. */
  giveBack(entry: BackendEntry): void
  /** How many scopes wait, over all backends. */
  readonly allWaiting: number
  taken(entry: BackendEntry): number
  waiting(entry: BackendEntry): number
}

interface Waiter extends Timed {
  done(taken: boolean): void
}

interface Permits {
  taken: number
  readonly waiters: Set<Waiter>
}

/** Creates the permits, none of them given out. */
export function createLinkPermits({ deadlines, now }: Clock): LinkPermits {
  const backends = new WeakMap<BackendEntry, Permits>()

  const of = (entry: BackendEntry): Permits => keptOr(backends, entry, () => ({ taken: 0, waiters: new Set() }))

  const table = {
    allWaiting: 0,
    take(entry: BackendEntry) {
      const permits = of(entry)
      if (permits.taken >= entry.maxLinks) return false
      permits.taken += 1
      return true
    },
    wait(entry: BackendEntry, signal: AbortSignal) {
      if (signal.aborted) return Promise.resolve(false)
      const { waiters } = of(entry)
      return new Promise<boolean>((resolve) => {
        const giveUp = (): void => waiter.done(false)
        const waiter: Waiter = {
          deadline: now() + entry.timeoutMs,
          expire: giveUp,
          done(taken) {
            if (waiters.delete(waiter)) table.allWaiting -= 1
            deadlines.remove(waiter)
            signal.removeEventListener('abort', giveUp)
            resolve(taken)
          },
        }
        waiters.add(waiter)
        table.allWaiting += 1
        deadlines.add(waiter)
        signal.addEventListener('abort', giveUp)
      })
    },
    giveBack(entry: BackendEntry) {
      const permits = of(entry)
      const [first] = permits.waiters
      if (first === undefined) permits.taken -= 1
      else first.done(true)
    },
    taken: (entry: BackendEntry) => of(entry).taken,
    waiting: (entry: BackendEntry) => of(entry).waiters.size,
  }
  return table
}
