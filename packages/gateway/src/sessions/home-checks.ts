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
  let absencesSeen = 0
  /** Sessions that other nodes may have recorded as ended, each with its running check, if any. */
  const uncertain = new Map<string, Promise<void> | undefined>()
  let sweeping = false

  const doubtAllIfAway = (): void => {
    const absences = away.absences()
    if (absences === absencesSeen) return
    absencesSeen = absences
    // A session that is bound to one connection is used by this node only: it needs no check.
    for (const { id, transport } of homes()) if (transport === 'http') uncertain.set(id, undefined)
  }

  const runCheck = async (id: string, latest: () => Promise<void> | undefined): Promise<void> => {
    // If the connection was lost again during the check, its result does not count.
    const isLatest = (): boolean => uncertain.get(id) === latest()
    try {
      await check(id)
    } catch (error) {
      if (isLatest()) uncertain.set(id, undefined)
      throw error
    }
    if (isLatest()) uncertain.delete(id)
  }

  const startCheck = (id: string): Promise<void> => {
    const running: Promise<void> = runCheck(id, () => running)
    uncertain.set(id, running)
    return running
  }

  const sweepAll = async (): Promise<void> => {
    const ids = [...uncertain.keys()]
    for (let at = 0; at < ids.length; at += atOnce) {
      const some = ids.slice(at, at + atOnce).filter((id) => uncertain.has(id))
      // A check that fails now is repeated at the next sweep.
      // oxlint-disable-next-line no-await-in-loop -- storage is not to be flooded
      await Promise.allSettled(some.map((id) => uncertain.get(id) ?? startCheck(id)))
    }
    sweeping = false
  }

  return {
    checked(id) {
      doubtAllIfAway()
      if (uncertain.size === 0 || !uncertain.has(id)) return undefined
      return uncertain.get(id) ?? startCheck(id)
    },
    doubt: (id) => void uncertain.set(id, undefined),
    wasAway: () => away.wasAway(),
    sweep() {
      doubtAllIfAway()
      if (uncertain.size === 0 || sweeping) return
      sweeping = true
      void sweepAll()
    },
  }
}
