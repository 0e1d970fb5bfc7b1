import type { Clock } from '../shared/clock.ts'
import { waitAtMost } from '../shared/patience.ts'
import type { SessionTable } from './session-table.ts'
import type { VisitingCalls } from './visiting-calls.ts'

export interface DrainParts {
  readonly table: Pick<SessionTable, 'homes' | 'served'>
  readonly visiting: Pick<VisitingCalls, 'has' | 'isBusy'>
  readonly clock: Clock
  /** Hands on the sessions that are owed answers. Resolves with whether another node stays that may take them. */
  readonly handOn: () => Promise<boolean>
  /** Ends a session, whose client begins another at some other node. */
  readonly end: (session: string) => Promise<void>
}

/** How often sessions are looked at, in milliseconds. */
const lookMs = 20

/**
 * Ends the sessions of this node that clients may reach by any node, each as soon as nothing of it is at work: no call
 * of this node's clients or of other nodes, and no job. Resolves when all have ended, or after this many milliseconds.
 * Those that are one connection end with it.
 */
export async function drainSessions(
  { table, visiting, clock, handOn, end }: DrainParts,
  graceMs: number,
): Promise<void> {
  const until = clock.now() + graceMs
  for (;;) {
    const stays = await handOn()
    const anywhere = [...table.homes()].filter(({ transport }) => transport === 'http')
    const idle = anywhere.filter((session) => {
      // An answer was promised since: it is handed on at the next look.
      if (stays && session.isOwed) return false
      const called = (table.served(session.id)?.inFlight?.size ?? 0) > 0 || visiting.has(session.id)
      return !called && session.jobsDone() === undefined
    })
    await Promise.all(idle.map(({ id }) => end(id)))
    // Until a session had ended, other nodes may have begun something more for it.
    if ((anywhere.length === idle.length && !visiting.isBusy) || clock.now() >= until) return
    await waitAtMost(clock, lookMs, new Promise(() => {}))
  }
}
