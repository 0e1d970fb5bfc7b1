import { createAwayWatch } from '../nodes/away-watch.ts'
import type { HomeSession } from './home-session.ts'

/** After a connection loss: checks whether this node is still the home of its sessions. */
export interface HomeChecks {
  /**
   * The caller must wait for this before it serves anything for a session whose home is this node. `undefined`: nothing
   * to wait for. Rejects when it is unknown whether this node is still the session's home.
   */
  readonly checked: (id: string) => Promise<void> | undefined
  /** Marks a session as uncertain: this node may no longer be its home. */
  doubt(id: string): void
  /** Called when the connection of this running node to the others was lost for a while. */
  wasAway(): void
  /** Checks the uncertain sessions that no request uses. Must be called every second. */
  sweep(): void
}

export interface HomeChecksParts {
  /** Epoch milliseconds. */
  readonly now: () => number
  readonly homes: () => Iterable<Pick<HomeSession, 'id' | 'transport'>>
  /** Checks whether this node is still the home of a session. Ends the session when it is not. */
  readonly check: (id: string) => Promise<void>
}

/** Sessions that are checked at the same time. */
const atOnce = 64

export function createHomeChecks({ now, homes, check }: HomeChecksParts): HomeChecks {
  const away = createAwayWatch(now)
  let known = 0
  /** Sessions that other nodes may have recorded as ended, each with its running check, if any. */
  const doubted = new Map<string, Promise<void> | undefined>()
  let sweeping = false

  const look = (): void => {
    const times = away.times()
    if (times === known) return
    known = times
    // A session that is bound to one connection is used by this node only: it needs no check.
    for (const { id, transport } of homes()) if (transport === 'http') doubted.set(id, undefined)
  }

  const find = async (id: string, latest: () => Promise<void> | undefined): Promise<void> => {
    // If the connection was lost again during the check, its result does not count.
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
      // A check that fails now is repeated at the next sweep.
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
