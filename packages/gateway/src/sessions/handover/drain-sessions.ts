import type { Clock } from '../../shared/clock.ts'
import { pauseFor } from '../../shared/timeouts.ts'
import type { HomeSession } from '../session/home-session.ts'
import type { SessionTable } from '../session/session-table.ts'
import type { VisitingCalls } from '../home/visiting-calls.ts'

/** The sessions of this node, which of them are in use, and how they end. */
export interface DrainParts {
  readonly table: Pick<SessionTable, 'homes' | 'isAtWork' | 'peek' | 'visiting'>
  readonly visiting: Pick<VisitingCalls, 'has' | 'isBusy' | 'onIdle'>
  readonly clock: Clock
  /** Hands over the sessions that wait for answers. Resolves with whether another node stays that can adopt them. */
  readonly handOver: () => Promise<boolean>
  /** Ends a session; its client opens another one on some other node. */
  readonly end: (session: string) => Promise<void>
}

/** Interval between two checks of the sessions, in milliseconds. */
const checkMs = 20

/**
 * Ends the sessions of this node that clients can reach through any node. Each ends as soon as it has no open call,
 * from this node's clients or from other nodes, and no running job. Resolves when all have ended and no visiting session
 * has an open call, or after `graceMs` milliseconds. A session that is bound to one connection ends with that connection.
 */
export async function drainSessions(
  { table, visiting, clock, handOver, end }: DrainParts,
  graceMs: number,
): Promise<void> {
  const until = clock.now() + graceMs
  let hasSuccessor = await handOver()
  const isIdle = (session: HomeSession): boolean => {
    // An answer was promised since then: the next check hands the session over.
    if (hasSuccessor && session.awaitsAnswers) return false
    const called = table.isAtWork(session.id) || visiting.has(session.id)
    return !called && session.jobsDone() === undefined
  }
  const ending: Promise<void>[] = []
  // A client that calls again as soon as it has an answer leaves its session idle for less than the time between two checks.
  const stop = visiting.onIdle((id) => {
    const session = table.peek(id)
    if (session?.transport !== 'http' || !isIdle(session)) return
    const ended = end(id)
    ending.push(ended)
    // The next check throws the error.
    ended.catch(() => {})
  })
  try {
    for (;;) {
      const anywhere = [...table.homes()].filter(({ transport }) => transport === 'http')
      const idle = anywhere.filter((session) => isIdle(session))
      await Promise.all([...ending.splice(0), ...idle.map(({ id }) => end(id))])
      // A client whose connection was cut resumes the stream of its call here, through any node.
      const isVisited = [...table.visiting()].some(({ id }) => table.isAtWork(id))
      // Before a session ended, another node may have started a new call for it.
      const isBusy = anywhere.length > idle.length || visiting.isBusy || isVisited
      if (!isBusy || clock.now() >= until) return
      await pauseFor(clock, checkMs)
      hasSuccessor = await handOver()
    }
  } finally {
    stop()
  }
}
