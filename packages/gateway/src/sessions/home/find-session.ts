import type { Fabric, Identity, Session } from '@junctor/contracts'
import { JunctorError } from '@junctor/protocol'
import type { Clock } from '../../shared/clock.ts'
import { FrontSession } from '../session/front-session.ts'
import type { HomeFinder } from './home-finder.ts'
import type { HomeKeeper } from './home-keeper.ts'
import type { SessionRecords } from './session-records.ts'
import type { SessionTable } from '../session/session-table.ts'

/**
 * The session, if it belongs to this identity. Returns it immediately when this node has served it before and was not
 * disconnected since. Rejects when this cannot be determined.
 */
export type FindSession = (id: string, identity: Identity) => Session | undefined | Promise<Session | undefined>

/** Where a session can be found: in the table of this node, in its stored record, or by asking other nodes. */
export interface FindSessionParts {
  readonly fabric: Pick<Fabric, 'node'>
  readonly table: Pick<SessionTable, 'served' | 'visit'>
  readonly records: Pick<SessionRecords, 'read' | 'end'>
  readonly finder: Pick<HomeFinder, 'homeNow' | 'following'>
  readonly keeper: Pick<HomeKeeper, 'checked'>
  readonly clock: Clock
  /** Whether storage may just have lost records that their home nodes have not written again yet. */
  readonly hasRecentlyReconnected: () => boolean
}

/**
 * Creates the search. It rejects with `FABRIC_UNAVAILABLE` where a session might exist and cannot be found now, so
 * that no client gets 404 for a session that lives.
 */
export function createFindSession(parts: FindSessionParts): FindSession {
  const { fabric, table, records, finder, keeper, clock } = parts

  /** Looks up a session that this node does not serve yet. */
  const lookUp = async (id: string, identity: Identity): Promise<Session | undefined> => {
    const stored = await records.read(id)
    // A node that leaves has handed the session over to this node meanwhile.
    if (table.served(id) !== undefined) return find(id, identity)
    if (stored === undefined && parts.hasRecentlyReconnected()) {
      throw new JunctorError('FABRIC_UNAVAILABLE', 'the home of a session may not have written its record again yet')
    }
    if (stored === undefined || stored === 'ended' || stored.value.tenant !== identity.tenant.name) return undefined
    const { value: record, revision } = stored
    // A record that names this node, while the session is not here, outlived its session.
    if (record.principal !== identity.principal.key || record.home === fabric.node) return undefined
    const home = await finder.homeNow(id, record.home)
    if (table.served(id) !== undefined) return find(id, identity)
    // A session that was reported as gone to its client must not come back with its home. If the record was just
    // written, the home is alive: look again.
    if (home === undefined) return (await records.end(id, revision)) ? undefined : lookUp(id, identity)
    const context = {
      tenant: record.tenant,
      principal: identity.principal,
      session: id,
      revision: record.revision,
      client: { info: record.info, capabilities: record.capabilities },
      extensions: record.extensions,
      trace: undefined,
    }
    return table.visit(new FrontSession(id, identity.tenant, context, home, record.dialect))
  }

  /** Counts as use of a session that visits. The home of a session counts its requests itself. */
  const visited = (session: FrontSession): Promise<void> | undefined => {
    session.used = clock.now()
    return finder.following(session.home)
  }

  const find: FindSession = (id, identity) => {
    const session = table.served(id)
    if (session === undefined) return lookUp(id, identity)
    const own = session.tenant.name === identity.tenant.name && session.principal.key === identity.principal.key
    if (!own) return undefined
    const pending = session.home === fabric.node ? keeper.checked(id) : visited(session)
    return pending === undefined ? session : pending.then(() => table.served(id) ?? lookUp(id, identity))
  }
  return find
}
