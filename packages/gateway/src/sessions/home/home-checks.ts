import type { HomeSession } from '../session/home-session.ts'

/** After a connection loss: checks whether this node is still the home of its sessions. */
export interface HomeChecks {
  /**
   * The caller must wait for this before it serves anything for a session whose home is this node. `undefined`: nothing
   * to wait for. Rejects when it is unknown whether this node is still the session's home.
   */
  readonly checked: (id: string) => Promise<void> | undefined
  /** Marks a session as uncertain: this node may no longer be its home. */
  doubt(id: string): void
  /** Called when the connection of this running node to the others was lost for a while: they may have taken it as lost. */
  wasAway(): void
  /** Checks the uncertain sessions that no request uses. Must be called every second. */
  sweep(): void
}

/** The sessions of this node, and the check of one of them. */
export interface HomeChecksParts {
  /** Epoch milliseconds, of a clock that continues while the machine is suspended. */
  readonly now: () => number
  readonly homes: () => Iterable<Pick<HomeSession, 'id' | 'transport'>>
  /** Checks whether this node is still the home of a session. Ends the session when it is not. */
  readonly check: (id: string) => Promise<void>
}

/**
 * No other node treats a node as lost that was silent for less than this, in milliseconds. It is longer than the time
 * between two sweeps, also on a busy machine.
 */
const awayMs = 1_500

/** Sessions that are checked at the same time. */
const atOnce = 64

/** One reason to check a session. Another loss of the connection is another reason: an earlier check does not count. */
interface Doubt {
  check: Promise<void> | undefined
}

/**
 * Creates the checks, with no session in doubt. Sessions that are bound to one connection are never in doubt: no other
 * node can use them.
 */
export function createHomeChecks({ now, homes, check }: HomeChecksParts): HomeChecks {
  let seenAt = now()
  let hasBeenAway = false
  /** Sessions that other nodes may have recorded as ended. */
  const uncertain = new Map<string, Doubt>()
  let sweeping = false

  const doubt = (id: string): void => void uncertain.set(id, { check: undefined })

  /** Doubts all sessions when this node was cut off, paused, or suspended with its machine. */
  const doubtAllIfAway = (): void => {
    const checkedAt = now()
    const isAway = hasBeenAway || checkedAt - seenAt > awayMs
    seenAt = checkedAt
    hasBeenAway = false
    if (!isAway) return
    // A session that is bound to one connection is used by this node only: it needs no check.
    for (const { id, transport } of homes()) if (transport === 'http') doubt(id)
  }

  const runCheck = async (id: string, doubted: Doubt): Promise<void> => {
    try {
      await check(id)
    } catch (error) {
      doubted.check = undefined
      throw error
    }
    if (uncertain.get(id) === doubted) uncertain.delete(id)
  }

  /** Joins the running check of a session, or starts one. `undefined`: the session is certain. */
  const checkIfUncertain = (id: string): Promise<void> | undefined => {
    const doubted = uncertain.get(id)
    return doubted && (doubted.check ??= runCheck(id, doubted))
  }

  return {
    checked(id) {
      doubtAllIfAway()
      return checkIfUncertain(id)
    },
    doubt,
    wasAway() {
      hasBeenAway = true
    },
    sweep() {
      doubtAllIfAway()
      if (uncertain.size === 0 || sweeping) return
      sweeping = true
      void checkAll([...uncertain.keys()], checkIfUncertain).finally(() => {
        sweeping = false
      })
    },
  }
}

async function checkAll(ids: readonly string[], check: (id: string) => Promise<void> | undefined): Promise<void> {
  for (let at = 0; at < ids.length; at += atOnce) {
    // A check that fails now is repeated at the next sweep.
    // oxlint-disable-next-line no-await-in-loop -- storage is not to be flooded
    await Promise.allSettled(ids.slice(at, at + atOnce).map(async (id) => check(id)))
  }
}
