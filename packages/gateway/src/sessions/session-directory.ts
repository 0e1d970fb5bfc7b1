import type { Fabric, Handler, Identity, Session, Store } from '@junctor/exchange'
import type { Clock } from '../clock.ts'
import type { GatewayLimits } from '../limits.ts'
import { FrontSession } from './front-session.ts'
import type { HomeSession } from './home-session.ts'
import type { SessionRecord } from './session-record.ts'
import { readSessionRecord, toSessionRecord } from './session-record.ts'

/** The service under which a node answers the requests of sessions that are at home with it. */
export const sessionService = '$session'

/** The sessions that this node serves: its own, and those that visit from other nodes. */
export interface SessionDirectory {
  /** Takes a new session in, at home on this node. */
  admit(session: HomeSession): FrontSession
  /** Makes a session known to all nodes. */
  publish(session: HomeSession): Promise<void>
  /** The session, if it is this identity's. At once when this node has served it before. */
  find(id: string, identity: Identity): Session | undefined | Promise<Session | undefined>
  /** The session as this node serves it, whoever asks. */
  served(id: string): FrontSession | undefined
  /** The session, if it is at home here. Counts as use. */
  home(id: string): HomeSession | undefined
  /** The same, without counting as use: what a backend says does not keep a session alive. */
  peek(id: string): HomeSession | undefined
  homes(): Iterable<HomeSession>
  /** Takes a session out of this node's tables; true if it was there. */
  drop(id: string): FrontSession | undefined
  /** Takes a session out of what all nodes know, so that none finds it any more. */
  forget(id: string): Promise<void>
  /** Sessions that nobody has used for too long. Renews what others know of the rest. */
  sweep(): readonly HomeSession[]
  /** Sessions at home here. */
  readonly size: number
}

interface HomeRow {
  readonly session: HomeSession
  used: number
  stored: number
}

export function createSessionDirectory(
  fabric: Fabric,
  answer: Handler,
  limits: GatewayLimits,
  clock: Clock,
): SessionDirectory {
  const homes = new Map<string, HomeRow>()
  const served = new Map<string, FrontSession>()
  // Twice the idle time: a record is renewed by the node that still has the session, well before it goes.
  const store: Store<SessionRecord> = fabric.store<SessionRecord>('sessions', 2 * limits.sessionIdleMs)

  /** Answers requests of visiting sessions, for each home node one handler. */
  const visits = new Map<string, Handler>()
  const visit = (home: string): Handler => {
    let handler = visits.get(home)
    if (handler === undefined) {
      handler = (request, exchange) => fabric.call({ service: sessionService, node: home }, request, exchange)
      visits.set(home, handler)
    }
    return handler
  }

  const look = async (id: string, identity: Identity): Promise<Session | undefined> => {
    const stored = await store.get(id)
    const record = readSessionRecord(stored?.value)
    if (record === undefined || record.tenant !== identity.tenant.name) return undefined
    // A record that says "here" while nobody is at home outlived its session.
    if (record.principal !== identity.principal.key || record.home === fabric.node) return undefined
    const context = {
      tenant: record.tenant,
      principal: identity.principal,
      session: id,
      revision: record.revision,
      client: { info: record.info, capabilities: record.capabilities },
      trace: undefined,
    }
    const session = new FrontSession(id, identity.tenant, context, record.home, visit(record.home))
    served.set(id, session)
    return session
  }

  return {
    admit(session) {
      const { tenant, context, id } = session
      const front = new FrontSession(id, tenant.tenant, context, fabric.node, answer)
      homes.set(id, { session, used: clock.now(), stored: clock.now() })
      served.set(id, front)
      return front
    },
    async publish(session) {
      await store.put(session.id, toSessionRecord(fabric.node, session.context))
    },
    find(id, identity) {
      const session = served.get(id)
      if (session === undefined) return look(id, identity)
      const own = session.tenant.name === identity.tenant.name && session.principal.key === identity.principal.key
      return own ? session : undefined
    },
    served: (id) => served.get(id),
    home(id) {
      const row = homes.get(id)
      if (row !== undefined) row.used = clock.now()
      return row?.session
    },
    peek: (id) => homes.get(id)?.session,
    *homes() {
      for (const row of homes.values()) yield row.session
    },
    drop(id) {
      const session = served.get(id)
      served.delete(id)
      homes.delete(id)
      return session
    },
    forget: (id) => store.delete(id),
    sweep() {
      const idle: HomeSession[] = []
      const now = clock.now()
      for (const row of homes.values()) {
        if (row.session.stream?.read === true) row.used = now
        if (now - row.used >= limits.sessionIdleMs) idle.push(row.session)
        else if (row.used > row.stored && now - row.stored >= limits.sessionIdleMs / 2) {
          row.stored = now
          void store.put(row.session.id, toSessionRecord(fabric.node, row.session.context))
        }
      }
      return idle
    },
    get size() {
      return homes.size
    },
  }
}
