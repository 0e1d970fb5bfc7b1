import type { Fabric, Identity, Log, Session } from '@junctor/contracts'
import type { Handler } from '@junctor/exchange'
import type { Extensions } from '@junctor/protocol'
import type { Clock } from '../shared/clock.ts'
import { toControl } from './control.ts'
import type { GatewayLimits } from '../shared/limits.ts'
import { FrontSession } from './front-session.ts'
import type { HomeSession } from './home-session.ts'
import { createHomeChecks } from './home-checks.ts'
import type { HomeSearch } from './home-search.ts'
import { createSessionRecords } from './session-records.ts'

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
  /** Makes known to all nodes where a session is at home that this one has handed on. False: it has ended. */
  publishAt(session: HomeSession, home: string, moves: number): Promise<boolean>
  /**
   * Where a session is at home, as far as anybody knows.
   *
   * @param last where it was at home when the caller learned of it
   */
  homeOf(id: string, last: string): string | Promise<string>
  /**
   * A node has left: finds out where the sessions have gone that visited from there, and forgets those that have no home
   * any more, for they have ended. Never rejects.
   */
  homeLeft(node: string): Promise<void>
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
  /**
   * Makes known to all nodes that a session has ended, so that none finds it any more. Never rejects: records also expire.
   *
   * @param home the session, when it was at home here
   */
  forget(id: string, home: HomeSession | undefined): Promise<void>
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

/**
 * When a session that was handed on is known to be at home where it was brought to, in milliseconds. The node that brought
 * it may not have learned that it was taken, and have brought it to another.
 */
const knownMs = 10_000

interface HomeRow {
  readonly session: HomeSession
  used: number
  stored: number
  /** Epoch milliseconds when it has to be known that this node is its home; undefined: it is. */
  confirmAt: number | undefined
}

export interface DirectoryParts {
  readonly fabric: Fabric
  /** Whether a node is there: a session ends with its home, also when that went without a word. */
  readonly isThere: (node: string) => Promise<boolean>
  readonly search: Pick<HomeSearch, 'find'>
  /** Answers the requests of sessions at home here. */
  readonly answer: Handler
  readonly limits: Pick<GatewayLimits, 'sessionIdleMs'>
  readonly clock: Clock
  readonly log: Log
  /** Ends a session at home here, which others say has ended. */
  readonly end: (id: string) => void
  /** Forgets a session that is not at home here any more, or that visited from a home that is gone. */
  readonly leave: (id: string) => void
}

export function createSessionDirectory(parts: DirectoryParts): SessionDirectory {
  const { fabric, isThere, search, answer, limits, clock, log, end, leave } = parts
  const homes = new Map<string, HomeRow>()
  const served = new Map<string, FrontSession>()
  /** By node that has left: what finds out where its sessions have gone. */
  const searches = new Map<string, Promise<void>>()
  // Twice the idle time: a record is renewed by the node that still has the session, well before it goes.
  const records = createSessionRecords(fabric, clock.now, 2 * limits.sessionIdleMs)

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

  /** Where a session is at home whose record names this node. `undefined`: nowhere. */
  const homeNow = async (id: string, named: string): Promise<string | undefined> =>
    (await isThere(named)) ? named : (await search.find([id], named)).get(id)

  const look = async (id: string, identity: Identity): Promise<Session | undefined> => {
    const stored = await records.read(id)
    if (stored === undefined || stored.value.tenant !== identity.tenant.name) return undefined
    const { value: record, revision } = stored
    // A record that says "here" while nobody is at home outlived its session.
    if (record.principal !== identity.principal.key || record.home === fabric.node) return undefined
    const home = await homeNow(id, record.home)
    // What a client is told to be gone must not come back with its home. Unless that has just written: it is there.
    if (home === undefined) return (await records.end(id, revision)) ? undefined : look(id, identity)
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
    const session = new FrontSession(id, identity.tenant, context, home, visit(home))
    session.used = clock.now()
    served.set(id, session)
    return session
  }

  /** Makes sure that all nodes know a session at home here, or ends it when they know that it has ended. */
  const confirm = async (row: HomeRow, writtenAt: number, isDue: boolean): Promise<void> => {
    const { session } = row
    // What is one connection no other node speaks for.
    if (session.transport !== 'http') return records.create(session)
    const standing = await records.confirm(session, writtenAt, isDue)
    if (homes.get(session.id) !== row) return
    if (standing === 'elsewhere') leave(session.id)
    if (standing !== 'ended') return
    log.warn('A session ends here, because another node has said that it is gone')
    end(session.id)
  }

  function* atHome(): Generator<HomeSession> {
    for (const row of homes.values()) yield row.session
  }

  const checks = createHomeChecks({
    now: clock.now,
    homes: atHome,
    check: async (id) => {
      const row = homes.get(id)
      if (row !== undefined) await confirm(row, row.stored, false)
    },
  })

  const cutOff = (): void => {
    for (const row of homes.values()) row.used = clock.now()
  }

  const agreed = (id: string, extensions: Extensions): void => {
    homes.get(id)?.session.agreed(extensions)
    served.get(id)?.agreed(extensions)
  }

  /** The home in the record, or that the others know, for a session whose last known home is gone. */
  const lookForHome = async (id: string, last: string): Promise<string> => {
    if (await isThere(last)) return last
    const named = (await records.read(id))?.value.home ?? last
    return (await homeNow(id, named)) ?? last
  }

  const follow = async (node: string): Promise<void> => {
    const left = [...visiting()].filter(({ home }) => home === node)
    if (left.length === 0) return
    let found: ReadonlyMap<string, string> | undefined
    try {
      found = await search.find(
        left.map(({ id }) => id),
        node,
      )
    } catch (error) {
      log.warn('It is not known where the sessions of a node have gone that has left', { error })
    }
    for (const session of left) {
      const { id, home } = session
      // It has ended meanwhile, or it is known by now where it is.
      if (served.get(id) !== session || home !== node) continue
      const next = found?.get(id)
      if (next !== undefined) moved(id, next)
      else if (found !== undefined) leave(id)
      // The next request of it may find out.
      else served.delete(id)
    }
  }

  const moved = (id: string, home: string): void => {
    homes.delete(id)
    served.get(id)?.moved(home, visit(home))
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
      const now = clock.now()
      const confirmAt = session.moves === 0 ? undefined : now + knownMs
      homes.set(id, { session, used: now, stored: now, confirmAt })
      served.set(id, front)
      return front
    },
    publish: (session) => records.create(session),
    publishAt: (session, home, moves) => records.move(session, home, moves),
    moved,
    async homeLeft(node) {
      const following = follow(node)
      searches.set(node, following)
      await following
      searches.delete(node)
    },
    homeOf: (id, last) => served.get(id)?.home ?? lookForHome(id, last),
    elsewhere(id) {
      const session = homes.has(id) ? undefined : served.get(id)
      return session?.home === fabric.node ? undefined : session
    },
    async agree(id, extensions) {
      agreed(id, extensions)
      const home = homes.get(id)
      await (home === undefined ? records.agree(id, extensions) : confirm(home, home.stored, true))
    },
    agreed,
    find(id, identity) {
      const session = served.get(id)
      if (session === undefined) return look(id, identity)
      const own = session.tenant.name === identity.tenant.name && session.principal.key === identity.principal.key
      if (!own) return undefined
      session.used = clock.now()
      const searching = searches.get(session.home)
      if (searching !== undefined) return searching.then(() => served.get(id) ?? look(id, identity))
      return checks.checked(id)?.then(() => served.get(id) ?? look(id, identity)) ?? session
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
    forget: (id, home) =>
      attempt('the end of a session could not be stored', home === undefined ? records.end(id) : records.over(home)),
    sweep(isWaiting) {
      const idle: HomeSession[] = []
      const now = clock.now()
      checks.sweep()
      for (const row of homes.values()) {
        const { id, stream } = row.session
        if (row.confirmAt !== undefined && now >= row.confirmAt) {
          row.confirmAt = undefined
          checks.doubt(id)
        }
        if (stream?.read === true || isAtWork(id) || isWaiting(id)) row.used = now
        if (now - row.used >= limits.sessionIdleMs) idle.push(row.session)
        else if (row.used > row.stored && now - row.stored >= limits.sessionIdleMs / 2) {
          const before = row.stored
          row.stored = now
          const renewed = confirm(row, before, true).catch((error: unknown) => {
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
