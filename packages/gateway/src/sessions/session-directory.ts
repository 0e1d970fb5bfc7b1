import type { Fabric, Identity, Log, Session } from '@junctor/contracts'
import type { Extensions } from '@junctor/protocol'
import { JunctorError } from '@junctor/protocol'
import type { Clock } from '../shared/clock.ts'
import { toControl } from './control.ts'
import { FrontSession } from './front-session.ts'
import type { HomeFinder } from './home-finder.ts'
import type { HomeKeeper } from './home-keeper.ts'
import type { HomeSession } from './home-session.ts'
import type { SessionRecords } from './session-records.ts'
import type { SessionTable } from './session-table.ts'

/** Finds sessions for the callers that may use them, and ends idle sessions. */
export interface SessionDirectory {
  /**
   * The session, if it belongs to this identity. Returns it immediately when this node has served it before and was not
   * disconnected since. Rejects when this cannot be determined.
   */
  readonly find: (id: string, identity: Identity) => Session | undefined | Promise<Session | undefined>
  /** Sets the extensions that a session uses, for this node and for nodes that do not serve the session yet. */
  agree(id: string, extensions: Extensions): Promise<void>
  /**
   * Returns the idle sessions whose home is this node. Forgets visiting sessions that were idle as long: their home
   * node may have died without a message.
   *
   * @param isWaiting whether a session waits for an answer here. Then it is not idle, and its home node is informed
   */
  sweep(isWaiting: (session: string) => boolean): readonly HomeSession[]
}

export interface DirectoryParts {
  readonly fabric: Pick<Fabric, 'node' | 'send'>
  readonly table: SessionTable
  readonly records: Pick<SessionRecords, 'read' | 'end' | 'agree'>
  readonly finder: Pick<HomeFinder, 'homeNow' | 'following'>
  readonly keeper: Pick<HomeKeeper, 'checked' | 'renew'>
  readonly clock: Clock
  readonly log: Log
  /** How long a session may be idle, in milliseconds. */
  readonly idleMs: number
  /** Whether storage may just have lost records that their home nodes have not written again yet. */
  readonly hasRecentlyReconnected: () => boolean
}

export function createSessionDirectory(parts: DirectoryParts): SessionDirectory {
  const { fabric, table, records, finder, keeper, clock, idleMs } = parts

  /** Looks up a session that this node does not serve yet. */
  const look = async (id: string, identity: Identity): Promise<Session | undefined> => {
    const stored = await records.read(id)
    if (stored === undefined && parts.hasRecentlyReconnected()) {
      throw new JunctorError('FABRIC_UNAVAILABLE', 'the home of a session may not have written its record again yet')
    }
    if (stored === undefined || stored === 'ended' || stored.value.tenant !== identity.tenant.name) return undefined
    const { value: record, revision } = stored
    // A record that names this node, while the session is not here, outlived its session.
    if (record.principal !== identity.principal.key || record.home === fabric.node) return undefined
    const home = await finder.homeNow(id, record.home)
    // A session that was reported as gone to its client must not come back with its home. If the record was just
    // written, the home is alive: look again.
    if (home === undefined) return (await records.end(id, revision)) ? undefined : look(id, identity)
    const context = {
      tenant: record.tenant,
      principal: identity.principal,
      session: id,
      revision: record.revision,
      client: { info: record.info, capabilities: record.capabilities },
      extensions: record.extensions,
      trace: undefined,
    }
    return table.visit(new FrontSession(id, identity.tenant, context, home))
  }

  return {
    find(id, identity) {
      const session = table.served(id)
      if (session === undefined) return look(id, identity)
      const own = session.tenant.name === identity.tenant.name && session.principal.key === identity.principal.key
      if (!own) return undefined
      session.used = clock.now()
      const pending = session.home === fabric.node ? keeper.checked(id) : finder.following(session.home)
      return pending === undefined ? session : pending.then(() => table.served(id) ?? look(id, identity))
    },
    async agree(id, extensions) {
      table.agreed(id, extensions)
      const row = table.row(id)
      await (row === undefined ? records.agree(id, extensions) : keeper.renew(row))
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
    .send(session.home, toControl({ kind: 'session-waits', session: session.id }))
    .catch((error: unknown) => log.warn('a home node could not be notified that its session waits', { error }))
}
