import type { Dialect } from '@junctor/jsonrpc'
import type { Extensions } from '@junctor/protocol'
import { FrontSession } from './front-session.ts'
import type { HomeSession } from './home-session.ts'

/** A session whose home is this node, and when it was used. Times are epoch milliseconds. */
export interface HomeRow {
  readonly session: HomeSession
  used: number
  /** When its record was last known to exist. */
  stored: number
  /** When the node must check that it is the session's home; undefined: no check is due. */
  confirmAt: number | undefined
}

/**
 * How long after a hand-over the new home must check that it is the session's home, in milliseconds. The node that
 * handed the session over may not have received the confirmation, and may have handed the session to another node as
 * well.
 */
const knownMs = 10_000

/** The sessions of this node: those whose home is this node, and those that visit from other nodes. */
export class SessionTable {
  readonly #node: string
  readonly #now: () => number
  readonly #homes = new Map<string, HomeRow>()
  readonly #served = new Map<string, FrontSession>()

  /**
   * @param node the id of this node
   * @param now epoch milliseconds
   */
  constructor(node: string, now: () => number) {
    this.#node = node
    this.#now = now
  }

  /** The number of sessions whose home is this node. */
  get size(): number {
    return this.#homes.size
  }

  /** Adds a session whose home is this node: a new one, or one that another node handed over. */
  admit(session: HomeSession): FrontSession {
    const { tenant, context, id, moves, dialect } = session
    const now = this.#now()
    const front = this.#served.get(id) ?? new FrontSession(id, tenant.tenant, context, this.#node, dialect)
    front.home = this.#node
    this.#homes.set(id, { session, used: now, stored: now, confirmAt: moves === 0 ? undefined : now + knownMs })
    this.#served.set(id, front)
    return front
  }

  /** Adds a visiting session. Returns the existing one when another request has added it before. */
  visit(session: FrontSession): FrontSession {
    const existing = this.#served.get(session.id)
    if (existing !== undefined) return existing
    session.used = this.#now()
    this.#served.set(session.id, session)
    return session
  }

  /** Sets another home of a session: requests that come to this node are forwarded there from now on. */
  setHome(id: string, home: string): void {
    this.#homes.delete(id)
    const session = this.#served.get(id)
    if (session === undefined) return
    session.home = home
    session.used = this.#now()
  }

  /** Sets the extensions that the session uses. */
  setExtensions(id: string, extensions: Extensions): void {
    this.#homes.get(id)?.session.setExtensions(extensions)
    this.#served.get(id)?.setExtensions(extensions)
  }

  /** The session as this node serves it, regardless of the caller. */
  served(id: string): FrontSession | undefined {
    return this.#served.get(id)
  }

  /** The other node that is the home of a session here. `undefined`: its home is this node, or it is not known here. */
  otherHome(id: string): string | undefined {
    const home = this.#homes.has(id) ? undefined : this.#served.get(id)?.home
    return home === this.#node ? undefined : home
  }

  /** The home of the session, as far as this node knows. */
  homeOf(id: string): string | undefined {
    return this.#homes.has(id) ? this.#node : this.otherHome(id)
  }

  /** The session, if its home is this node. Counts as use. */
  home(id: string): HomeSession | undefined {
    const row = this.#homes.get(id)
    if (row !== undefined) row.used = this.#now()
    return row?.session
  }

  /** The same, without counting as use: a message from a backend does not keep a session alive. */
  peek(id: string): HomeSession | undefined {
    return this.#homes.get(id)?.session
  }

  /** The JSON-RPC version of the last message of a session's client, as far as this node knows it. */
  dialectOf(id: string): Dialect | undefined {
    return (this.peek(id) ?? this.served(id))?.dialect
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

  /** Sessions that this node serves for their home nodes. */
  *visiting(): Generator<FrontSession> {
    for (const session of this.#served.values()) if (!this.#homes.has(session.id)) yield session
  }

  /** Whether a request of the session is open on this node. */
  isAtWork(id: string): boolean {
    return (this.#served.get(id)?.inFlight?.size ?? 0) > 0
  }

  /**
   * Marks the sessions whose home is this node as used now. For a node that is disconnected from the others: clients cannot
   * use its sessions through them, which must not end as idle.
   */
  markAllUsed(): void {
    for (const row of this.#homes.values()) row.used = this.#now()
  }

  /** Removes a session. Returns it if it was there. */
  drop(id: string): FrontSession | undefined {
    const session = this.#served.get(id)
    this.#served.delete(id)
    this.#homes.delete(id)
    return session
  }
}
