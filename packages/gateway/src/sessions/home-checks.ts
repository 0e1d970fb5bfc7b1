import { createAwayWatch } from '../nodes/away-watch.ts'
import type { HomeSession } from './home-session.ts'

/** After a node was away: whether sessions that are at home there still are. */
export interface HomeChecks {
  /**
   * To be waited for before anything is served for a session that is at home here. Rejects when it cannot be known whether
   * it still is. `undefined`: there is nothing to wait for.
   */
  checked(id: string): Promise<void> | undefined
  /** It is not sure that this session is at home here. */
  doubt(id: string): void
  /** This node was away without being stopped: the connection to the others was lost for a while. */
  wasAway(): void
  /** Looks after the sessions that nobody asks for. To be called every second. */
  sweep(): void
}

export interface HomeChecksParts {
  /** Epoch milliseconds. */
  readonly now: () => number
  readonly homes: () => Iterable<Pick<HomeSession, 'id' | 'transport'>>
  /** Finds out whether a session is still at home here, and ends it when it is not. */
  readonly check: (id: string) => Promise<void>
}

/** Sessions that are looked after at once. */
const atOnce = 64

export function createHomeChecks({ now, homes, check }: HomeChecksParts): HomeChecks {
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

  const find = async (id: string, latest: () => Promise<void> | undefined): Promise<void> => {
    // When this node was away again meanwhile, nothing is known yet.
    const isLatest = (): boolean => doubted.get(id) === latest()
    try {
      await check(id)
    } catch (error) {
      if (isLatest()) doubted.set(id, undefined)
      throw error
    }
    if (isLatest()) doubted.delete(id)
  }

  const begin = (id: string): Promise<void> => {
    const finding: Promise<void> = find(id, () => finding)
    doubted.set(id, finding)
    return finding
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
    doubt: (id) => void doubted.set(id, undefined),
    wasAway: () => away.wasAway(),
    sweep() {
      look()
      if (doubted.size === 0 || sweeping) return
      sweeping = true
      void sweepAll()
    },
  }
}
