import type { Extensions } from '@junctor/protocol'
import { FrontSession } from './front-session.ts'
import type { HomeSession } from './home-session.ts'

/** A session at home here, and when it was used. Times are epoch milliseconds. */
export interface HomeRow {
  readonly session: HomeSession
  used: number
  /** When its record was last known to be there. */
  stored: number
  /** When it has to be known that this node is its home; undefined: it is. */
  confirmAt: number | undefined
}

/**
 * When a session that was handed on is known to be at home where it was brought to, in milliseconds. The node that brought
 * it may not have learned that it was taken, and have brought it to another.
 */
const knownMs = 10_000

/** The sessions of this node: those at home here, and those that visit from other nodes. */
export class SessionTable {
  readonly #node: string
  readonly #now: () => number
  readonly #homes = new Map<string, HomeRow>()
  readonly #served = new Map<string, FrontSession>()

  /**
   * @param node this one
   * @param now epoch milliseconds
   */
  constructor(node: string, now: () => number) {
    this.#node = node
    this.#now = now
  }

  /** Sessions at home here. */
  get size(): number {
    return this.#homes.size
  }

  /** Takes a session in, at home on this node: a new one, or one that another node hands on. */
  admit(session: HomeSession): FrontSession {
    const { tenant, context, id, moves } = session
    const now = this.#now()
    const front = this.#served.get(id) ?? new FrontSession(id, tenant.tenant, context, this.#node)
    front.home = this.#node
    this.#homes.set(id, { session, used: now, stored: now, confirmAt: moves === 0 ? undefined : now + knownMs })
    this.#served.set(id, front)
    return front
  }

  /** Takes a visiting session in. Gives the one that was there before, if another request was quicker. */
  visit(session: FrontSession): FrontSession {
    const there = this.#served.get(session.id)
    if (there !== undefined) return there
    session.used = this.#now()
    this.#served.set(session.id, session)
    return session
  }

  /** The session is at home at another node from now on: what comes here for it goes there. */
  moved(id: string, home: string): void {
    this.#homes.delete(id)
    const session = this.#served.get(id)
    if (session !== undefined) session.home = home
  }

  /** The session uses these extensions from now on. */
  agreed(id: string, extensions: Extensions): void {
    this.#homes.get(id)?.session.agreed(extensions)
    this.#served.get(id)?.agreed(extensions)
  }

  /** The session as this node serves it, for any caller. */
  served(id: string): FrontSession | undefined {
    return this.#served.get(id)
  }

  /** The session, if it is served here but at home elsewhere. */
  elsewhere(id: string): FrontSession | undefined {
    const session = this.#homes.has(id) ? undefined : this.#served.get(id)
    return session?.home === this.#node ? undefined : session
  }

  /** Where the session is at home, as far as this node knows. */
  homeOf(id: string): string | undefined {
    return this.#homes.has(id) ? this.#node : this.elsewhere(id)?.home
  }

  /** The session, if it is at home here. Counts as use. */
  home(id: string): HomeSession | undefined {
    const row = this.#homes.get(id)
    if (row !== undefined) row.used = this.#now()
    return row?.session
  }

  /** The same, without counting as use: what a backend says does not keep a session alive. */
  peek(id: string): HomeSession | undefined {
    return this.#homes.get(id)?.session
  }

  row(id: string): HomeRow | undefined {
    return this.#homes.get(id)
  }

  rows(): Iterable<HomeRow> {
    return this.#homes.values()
  }

  *homes(): Generator<HomeSession> {
    for (const row of this.#homes.values()) yield row.session
  }

  /** Sessions that this node serves for other nodes. */
  *visiting(): Generator<FrontSession> {
    for (const session of this.#served.values()) if (!this.#homes.has(session.id)) yield session
  }

  /** Whether a request of the session is under way here. */
  isAtWork(id: string): boolean {
    return (this.#served.get(id)?.inFlight?.size ?? 0) > 0
  }

  /** This node is cut off from the others: nobody can use its sessions by way of them, and they are not idle for that. */
  cutOff(): void {
    for (const row of this.#homes.values()) row.used = this.#now()
  }

  /** Takes a session out; gives it if it was there. */
  drop(id: string): FrontSession | undefined {
    const session = this.#served.get(id)
    this.#served.delete(id)
    this.#homes.delete(id)
    return session
  }
}
