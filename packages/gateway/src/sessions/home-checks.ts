import { createAwayWatch } from './away-watch.ts'
import type { HomeStanding } from './home-standing.ts'
import type { HomeSession } from './home-session.ts'

/** After a node was away: whether sessions that are at home there still are. */
export interface HomeChecks {
  /**
   * To be waited for before anything is served for a session that is at home here. Rejects when it cannot be known whether
   * it still is. `undefined`: there is nothing to wait for.
   */
  checked(id: string): Promise<void> | undefined
  /** This node was away without being stopped: the connection to the others was lost for a while. */
  wasAway(): void
  /** Looks after the sessions that nobody asks for. To be called every second. */
  sweep(): void
}

export interface HomeChecksParts {
  /** Epoch milliseconds. */
  readonly now: () => number
  readonly homes: () => Iterable<Pick<HomeSession, 'id' | 'transport'>>
  /** What is known of a session at home here to all nodes. */
  readonly standing: (id: string) => Promise<HomeStanding>
  /** Ends a session at home here, which others have said to be gone. */
  readonly end: (id: string) => void
}

/** Sessions that are looked after at once. */
const atOnce = 64

export function createHomeChecks({ now, homes, standing, end }: HomeChecksParts): HomeChecks {
  const away = createAwayWatch(now)
  let known = 0
  /** Sessions that others may have said to be gone; with what finds that out, when it is under way. */
  const doubted = new Map<string, Promise<void> | undefined>()
  let sweeping = false

  const look = (): void => {
    const times = away.times()
    if (times === known) return
    known = times
    // What is one connection no other node speaks for.
    for (const { id, transport } of homes()) if (transport === 'http') doubted.set(id, undefined)
  }

  const find = async (id: string, check: () => Promise<void> | undefined): Promise<void> => {
    // When this node was away again meanwhile, nothing is known yet.
    const isLatest = (): boolean => doubted.get(id) === check()
    let found: HomeStanding
    try {
      found = await standing(id)
    } catch (error) {
      if (isLatest()) doubted.set(id, undefined)
      throw error
    }
    if (isLatest()) doubted.delete(id)
    if (found === 'gone') end(id)
  }

  const begin = (id: string): Promise<void> => {
    const check: Promise<void> = find(id, () => check)
    doubted.set(id, check)
    return check
  }

  const sweepAll = async (): Promise<void> => {
    const ids = [...doubted.keys()]
    for (let at = 0; at < ids.length; at += atOnce) {
      const some = ids.slice(at, at + atOnce).filter((id) => doubted.has(id))
      // What cannot be found out now is tried again with the next sweep.
      // oxlint-disable-next-line no-await-in-loop -- storage is not to be flooded
      await Promise.allSettled(some.map((id) => doubted.get(id) ?? begin(id)))
    }
    sweeping = false
  }

  return {
    checked(id) {
      look()
      if (doubted.size === 0 || !doubted.has(id)) return undefined
      return doubted.get(id) ?? begin(id)
    },
    wasAway: () => away.wasAway(),
    sweep() {
      look()
      if (doubted.size === 0 || sweeping) return
      sweeping = true
      void sweepAll()
    },
  }
}
