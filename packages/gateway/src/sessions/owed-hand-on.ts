import type { Clock } from '../shared/clock.ts'
import type { HandOn } from './hand-on.ts'
import type { HomeSession } from './home-session.ts'

/** How often it is asked who stays, in milliseconds. */
const askMs = 500

/** Sessions that are handed on at once. */
const atOnce = 64

export interface OwedHandOnParts {
  readonly handing: Pick<HandOn, 'successors' | 'handOn'>
  readonly table: { homes(): Iterable<HomeSession> }
  readonly clock: Clock
  /** Hears each time that it was asked whether anybody stays. */
  readonly asked: (isAnybodyThere: boolean) => void
}

/** Hands on the sessions of a node that leaves which are owed answers. */
export interface OwedHandOn {
  /** Another node stayed when that was asked last. */
  readonly stays: boolean
  /** Those that are still here. */
  sessions(): readonly HomeSession[]
  /** Hands them on to the nodes that stay. Resolves when each was taken, or nobody has taken it for now. */
  handOn(): Promise<void>
}

export function createOwedHandOn({ handing, table, clock, asked }: OwedHandOnParts): OwedHandOn {
  let successors: readonly string[] = []
  let askedAt = -Infinity
  /** Those that nobody took since then. */
  const refused = new Set<HomeSession>()

  /** Those over HTTP can be reached at other nodes; the others are their connections. */
  const sessions = (): readonly HomeSession[] =>
    [...table.homes()].filter(({ transport, isOwed }) => transport === 'http' && isOwed)

  const lookAround = async (): Promise<void> => {
    if (clock.now() - askedAt < askMs) return
    successors = await handing.successors()
    refused.clear()
    askedAt = clock.now()
    asked(successors.length > 0)
  }

  const hand = async (session: HomeSession, index: number): Promise<void> => {
    // Each begins with another one, so that nobody gets them all.
    const at = index % successors.length
    const order = [...successors.slice(at), ...successors.slice(0, at)]
    if (!(await handing.handOn(session, order))) refused.add(session)
  }

  return {
    get stays() {
      return successors.length > 0
    },
    sessions,
    async handOn() {
      await lookAround()
      if (successors.length === 0) return
      const left = sessions().filter((session) => !refused.has(session))
      for (let at = 0; at < left.length; at += atOnce) {
        const some = left.slice(at, at + atOnce)
        // oxlint-disable-next-line no-await-in-loop -- so many at once
        await Promise.all(some.map((session, index) => hand(session, at + index)))
      }
    },
  }
}
