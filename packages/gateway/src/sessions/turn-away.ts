import type { Caught } from '@junctor/contracts'
import { startHousekeeping } from '../shared/housekeeping.ts'

/** A request that only waits for what a job comes to. */
export interface WaitingRequest {
  /** Undefined: it belongs to none. */
  readonly session: string | undefined
  /** Answers it: it can be asked again, at another node. */
  leave(): void
}

/** Turns away what only waits for jobs at a node that leaves, and would keep it for as long as jobs of other nodes take. */
export interface TurnAway {
  /**
   * From now on, what waits is turned away once no job of its session is at work here. Idempotent.
   *
   * @param waiting all that wait here, for clients of this node and for other nodes
   */
  begin(waiting: () => Iterable<WaitingRequest>): void
  /** Whether a request that would only wait is not to begin. */
  refuses(session: string | undefined): boolean
  close(): void
}

export interface TurnAwayParts {
  /** Whether a job is at work here of which a session, or anybody, may wait for the answer. */
  readonly isAtWork: (session: string | undefined) => boolean
  readonly caught: Caught
}

/** How often it is looked, in milliseconds. What waits at two looks in a row is not about to be answered. */
const lookMs = 250

export function createTurnAway({ isAtWork, caught }: TurnAwayParts): TurnAway {
  let seen = new Set<WaitingRequest>()
  let looks = 0
  let stop: (() => void) | undefined

  const look = (waiting: () => Iterable<WaitingRequest>): void => {
    looks += 1
    const before = seen
    const idle = [...waiting()].filter(({ session }) => !isAtWork(session))
    seen = new Set(idle.filter((one) => !before.has(one)))
    for (const one of idle) {
      if (!before.has(one)) continue
      try {
        one.leave()
      } catch (error) {
        caught('request', error, { session: one.session })
      }
    }
  }

  return {
    begin(waiting) {
      stop ??= startHousekeeping([() => look(waiting)], lookMs, caught)
    },
    refuses: (session) => looks > 1 && !isAtWork(session),
    close() {
      stop?.()
    },
  }
}
