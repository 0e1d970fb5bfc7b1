import type { Fabric, Log } from '@junctor/contracts'
import type { Extensions } from '@junctor/protocol'
import { toSessionControl } from './session-control.ts'
import { createFindSession, type FindSession, type FindSessionParts } from './home/find-session.ts'
import type { FrontSession } from './session/front-session.ts'
import type { HomeKeeper } from './home/home-keeper.ts'
import type { HomeSession } from './session/home-session.ts'
import type { SessionRecords } from './home/session-records.ts'
import type { SessionTable } from './session/session-table.ts'

/** Finds sessions for the callers that may use them, and ends idle sessions. */
export interface SessionDirectory {
  readonly find: FindSession
  /** Sets the extensions that a session uses, for this node and for nodes that do not serve the session yet. */
  setExtensions(id: string, extensions: Extensions): Promise<void>
  /**
   * Returns the idle sessions whose home is this node. Forgets visiting sessions that were idle as long: their home
   * node may have died without a message.
   *
   * @param isWaiting whether a session waits for an answer here. Then it is not idle, and its home node is informed
   */
  sweep(isWaiting: (session: string) => boolean): readonly HomeSession[]
}

/** What finds sessions and keeps their records, and the time after which an idle one ends. */
export interface DirectoryParts extends FindSessionParts {
  readonly fabric: Pick<Fabric, 'node' | 'send'>
  readonly table: SessionTable
  readonly records: FindSessionParts['records'] & Pick<SessionRecords, 'setExtensions'>
  readonly keeper: FindSessionParts['keeper'] & Pick<HomeKeeper, 'renew'>
  readonly log: Log
  /** How long a session may be idle, in milliseconds. */
  readonly idleMs: number
}

/** Creates a directory. It ends idle sessions only when `sweep` is called. */
export function createSessionDirectory(parts: DirectoryParts): SessionDirectory {
  const { table, records, keeper, clock, idleMs } = parts

  return {
    find: createFindSession(parts),
    async setExtensions(id, extensions) {
      table.setExtensions(id, extensions)
      const row = table.row(id)
      await (row === undefined ? records.setExtensions(id, extensions) : keeper.renew(row))
    },
    sweep(isWaiting) {
      const idle: HomeSession[] = []
      const now = clock.now()
      for (const row of table.rows()) {
        const { id, stream } = row.session
        if (stream?.read === true || table.isAtWork(id) || isWaiting(id)) row.used = now
        if (now - row.used >= idleMs) idle.push(row.session)
      }
      for (const session of table.visiting()) sweepVisiting(parts, session, isWaiting(session.id), now)
      return idle
    },
  }
}

function sweepVisiting(parts: DirectoryParts, session: FrontSession, isWaiting: boolean, now: number): void {
  const { table, idleMs } = parts
  if (isWaiting) return reportWaiting(parts, session, now)
  if (!table.isAtWork(session.id) && now - session.used >= idleMs) table.drop(session.id)
}

/** Sends the message often enough that the home does not treat the session as idle when one message is lost. */
function reportWaiting({ fabric, idleMs, log }: DirectoryParts, session: FrontSession, now: number): void {
  if (now - session.waitReportedAt < idleMs / 4) return
  session.waitReportedAt = now
  fabric
    .send(session.home, toSessionControl({ kind: 'session-waits', session: session.id }))
    .catch((error: unknown) => log.warn('a home node could not be notified that its session waits', { error }))
}
