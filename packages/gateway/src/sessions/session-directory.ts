import type { Fabric, Handler, Identity, Log, Session, Store } from '@junctor/exchange'
import type { Extensions } from '@junctor/protocol'
import type { Clock } from '../clock.ts'
import { toControl } from '../front/control.ts'
import type { GatewayLimits } from '../limits.ts'
import { FrontSession } from './front-session.ts'
import type { HomeSession } from './home-session.ts'
import { createHomeChecks } from './home-checks.ts'
import type { HomeStanding } from './home-standing.ts'
import { homeStanding } from './home-standing.ts'
import type { EndedRecord, SessionRecord } from './session-record.ts'
import { endedRecord, readSessionRecord, toSessionRecord } from './session-record.ts'

/** The service under which a node answers the requests of sessions that are at home with it. */
export const sessionService = '$session'

/** The sessions that this node serves: its own, and those that visit from other nodes. */
export interface SessionDirectory {
  /** Takes a session in, at home on this node: a new one, or one that another node hands on. */
  admit(session: HomeSession): FrontSession
  /** Makes a session known to all nodes. */
  publish(session: HomeSession): Promise<void>
  /** These extensions are what a session uses from now on, for this node and for those that do not serve it yet. */
  agree(id: string, extensions: Extensions): Promise<void>
  /** The same, when another node has made it known. */
  agreed(id: string, extensions: Extensions): void
  /** The session is at home at another node from now on: what comes here for it goes there. */
  moved(id: string, home: string): void
  /** Makes known to all nodes where a session is at home that this one has handed on. False: it is gone for others. */
  publishAt(session: HomeSession, home: string): Promise<boolean>
  /**
   * Where a session is at home, as far as anybody knows.
   *
   * @param last where it was at home when the caller learned of it
   */
  homeOf(id: string, last: string): string | Promise<string>
  /** Where its requests go, if it is served here but at home elsewhere. */
  elsewhere(id: string): { readonly home: string; readonly handler: Handler } | undefined
  /**
   * The session, if it is this identity's. At once when this node has served it before, and was not away since. Rejects
   * when that cannot be known.
   */
  find(id: string, identity: Identity): Session | undefined | Promise<Session | undefined>
  /**
   * To be waited for before anything is served for a session at home here: this node was away, and others may have taken
   * the session for gone. Rejects when that cannot be known. `undefined`: there is nothing to wait for.
   */
  checked(id: string): Promise<void> | undefined
  /** This node was away: the connection to the others was lost for a while. */
  wasAway(): void
  /** This node is cut off from the others: nobody can use its sessions by way of them, and they are not idle for that. */
  cutOff(): void
  /** The session as this node serves it, whoever asks. */
  served(id: string): FrontSession | undefined
  /** The session, if it is at home here. Counts as use. */
  home(id: string): HomeSession | undefined
  /** The same, without counting as use: what a backend says does not keep a session alive. */
  peek(id: string): HomeSession | undefined
  homes(): Iterable<HomeSession>
  /** Sessions that this node serves for other nodes. */
  visiting(): Iterable<FrontSession>
  /** Takes a session out of this node's tables; gives it if it was there. */
  drop(id: string): FrontSession | undefined
  /** Takes a session out of what all nodes know, so that none finds it any more. Never rejects: records also expire. */
  forget(id: string): Promise<void>
  /**
   * Sessions at home here that nobody has used for too long. Renews what others know of the rest, and forgets visiting
   * ones that did not come for as long: their home may be gone without a word.
   *
   * @param isWaiting whether a session waits for an answer here: it is not idle, and its home is told so
   */
  sweep(isWaiting: (session: string) => boolean): readonly HomeSession[]
  /** Sessions at home here. */
  readonly size: number
}

interface HomeRow {
  readonly session: HomeSession
  used: number
  stored: number
}

/**
 * @param isThere whether a node is there: a session ends with its home, also when that went without a word
 * @param end ends a session at home here, which is gone for others
 */
export function createSessionDirectory(
  fabric: Fabric,
  isThere: (node: string) => Promise<boolean>,
  answer: Handler,
  limits: GatewayLimits,
  clock: Clock,
  log: Log,
  end: (id: string) => void,
): SessionDirectory {
  const homes = new Map<string, HomeRow>()
  const served = new Map<string, FrontSession>()
  // Twice the idle time: a record is renewed by the node that still has the session, well before it goes.
  const store: Store<SessionRecord | EndedRecord> = fabric.store('sessions', 2 * limits.sessionIdleMs)

  /** Answers requests of a visiting session. */
  const visit =
    (home: string): Handler =>
    (request, exchange) =>
      fabric.call({ service: sessionService, node: home }, request, exchange)

  /** Storage may fail when nobody waits for it; what is stored expires by itself. */
  const attempt = async (what: string, work: Promise<unknown>): Promise<void> => {
    try {
      await work
    } catch (error) {
      log.warn(what, { error })
    }
  }

  const look = async (id: string, identity: Identity): Promise<Session | undefined> => {
    const stored = await store.get(id)
    const record = readSessionRecord(stored?.value)
    if (record === undefined || record.tenant !== identity.tenant.name) return undefined
    // A record that says "here" while nobody is at home outlived its session.
    if (record.principal !== identity.principal.key || record.home === fabric.node) return undefined
    if (!(await isThere(record.home))) {
      // What a client is told to be gone must not come back with its home. Unless that has just written: it is there.
      const written = await store.put(id, endedRecord, stored?.revision)
      return written === 'conflict' ? look(id, identity) : undefined
    }
    // Another request of the session may have been quicker.
    const there = served.get(id)
    if (there !== undefined) return there
    const context = {
      tenant: record.tenant,
      principal: identity.principal,
      session: id,
      revision: record.revision,
      client: { info: record.info, capabilities: record.capabilities },
      extensions: record.extensions,
      trace: undefined,
    }
    const session = new FrontSession(id, identity.tenant, context, record.home, visit(record.home))
    session.used = clock.now()
    served.set(id, session)
    return session
  }

  const standing = async (id: string): Promise<HomeStanding> =>
    homeStanding(readSessionRecord((await store.get(id))?.value), fabric.node, homes.get(id)?.session.handedBy)

  function* atHome(): Generator<HomeSession> {
    for (const row of homes.values()) yield row.session
  }

  const endHere = (id: string): void => {
    if (!homes.has(id)) return
    log.warn('A session ends here, because another node has said that it is gone')
    end(id)
  }
  const checks = createHomeChecks({ now: clock.now, homes: atHome, standing, end: endHere })

  /** Says again that the session is there, unless others have said that it is not. */
  const renew = async ({ id, context, transport, handedBy }: HomeSession): Promise<void> => {
    const stored = transport === 'http' ? await store.get(id) : undefined
    const record = readSessionRecord(stored?.value)
    if (transport === 'http' && homeStanding(record, fabric.node, handedBy) === 'gone') endHere(id)
    else await store.put(id, toSessionRecord(fabric.node, context), stored?.revision)
  }

  const cutOff = (): void => {
    for (const row of homes.values()) row.used = clock.now()
  }

  const agreed = (id: string, extensions: Extensions): void => {
    homes.get(id)?.session.agreed(extensions)
    served.get(id)?.agreed(extensions)
  }

  const publish = async ({ id, context }: Pick<HomeSession, 'id' | 'context'>): Promise<void> => {
    await store.put(id, toSessionRecord(fabric.node, context))
  }

  const publishAt = async ({ id, context, handedBy }: HomeSession, home: string): Promise<boolean> => {
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop -- until nobody else writes
      const stored = await store.get(id)
      const record = readSessionRecord(stored?.value)
      // Its next home may have handed it on already, and said so.
      if (homeStanding(record, fabric.node, handedBy) === 'gone') return record !== undefined
      // oxlint-disable-next-line no-await-in-loop
      if ((await store.put(id, toSessionRecord(home, context), stored?.revision)) !== 'conflict') return true
    }
  }

  /** The home in the record, for a session whose last known home is gone: that may have handed it on. */
  const lookForHome = async (id: string, last: string): Promise<string> => {
    if (await isThere(last)) return last
    const stored = await store.get(id)
    return readSessionRecord(stored?.value)?.home ?? last
  }

  /** Writes what a visiting session has become, unless it has ended: its home may have seen that first. */
  const republish = async ({ id, context, home }: FrontSession): Promise<void> => {
    let written: number | 'conflict' = 'conflict'
    while (written === 'conflict') {
      const stored = await store.get(id)
      if (stored === undefined) return
      written = await store.put(id, toSessionRecord(home, context), stored.revision)
    }
  }

  const isAtWork = (id: string): boolean => (served.get(id)?.inFlight?.size ?? 0) > 0

  /** Often enough that the home does not take it for idle, should a word be lost. */
  const tellWaiting = (session: FrontSession, now: number): void => {
    if (now - session.waitToldAt < limits.sessionIdleMs / 4) return
    session.waitToldAt = now
    void attempt(
      'a home could not be told',
      fabric.send(session.home, toControl({ kind: 'session-waits', session: session.id })),
    )
  }

  function* visiting(): Generator<FrontSession> {
    for (const session of served.values()) if (!homes.has(session.id)) yield session
  }

  return {
    admit(session) {
      const { tenant, context, id } = session
      const front = served.get(id) ?? new FrontSession(id, tenant.tenant, context, fabric.node, answer)
      front.moved(fabric.node, answer)
      homes.set(id, { session, used: clock.now(), stored: clock.now() })
      served.set(id, front)
      return front
    },
    publish,
    publishAt,
    moved(id, home) {
      homes.delete(id)
      served.get(id)?.moved(home, visit(home))
    },
    homeOf: (id, last) => served.get(id)?.home ?? lookForHome(id, last),
    elsewhere(id) {
      const session = homes.has(id) ? undefined : served.get(id)
      return session?.home === fabric.node ? undefined : session
    },
    async agree(id, extensions) {
      agreed(id, extensions)
      const home = homes.get(id)?.session
      const visitor = served.get(id)
      if (home !== undefined) await publish(home)
      else if (visitor !== undefined) await republish(visitor)
    },
    agreed,
    find(id, identity) {
      const session = served.get(id)
      if (session === undefined) return look(id, identity)
      const own = session.tenant.name === identity.tenant.name && session.principal.key === identity.principal.key
      if (!own) return undefined
      session.used = clock.now()
      return checks.checked(id)?.then(() => served.get(id)) ?? session
    },
    checked: (id) => checks.checked(id),
    wasAway() {
      checks.wasAway()
      cutOff()
    },
    cutOff,
    served: (id) => served.get(id),
    home(id) {
      const row = homes.get(id)
      if (row !== undefined) row.used = clock.now()
      return row?.session
    },
    peek: (id) => homes.get(id)?.session,
    homes: atHome,
    visiting,
    drop(id) {
      const session = served.get(id)
      served.delete(id)
      homes.delete(id)
      return session
    },
    forget: (id) => attempt('the record of a session could not be deleted', store.delete(id)),
    sweep(isWaiting) {
      const idle: HomeSession[] = []
      const now = clock.now()
      checks.sweep()
      for (const row of homes.values()) {
        const { id, stream } = row.session
        if (stream?.read === true || isAtWork(id) || isWaiting(id)) row.used = now
        if (now - row.used >= limits.sessionIdleMs) idle.push(row.session)
        else if (row.used > row.stored && now - row.stored >= limits.sessionIdleMs / 2) {
          const before = row.stored
          row.stored = now
          const renewed = renew(row.session).catch((error: unknown) => {
            // Else it goes before it is its turn again.
            row.stored = before
            throw error
          })
          void attempt('the record of a session could not be renewed', renewed)
        }
      }
      for (const session of visiting()) {
        const isHere = isWaiting(session.id)
        if (isHere) tellWaiting(session, now)
        if (!isHere && !isAtWork(session.id) && now - session.used >= limits.sessionIdleMs) served.delete(session.id)
      }
      return idle
    },
    get size() {
      return homes.size
    },
  }
}
