import type { AskOptions, CallContext, Exchange, NotificationBody } from '@junctor/exchange'
import type { Scope } from '@junctor/contracts'
import type { Answer } from '@junctor/jsonrpc'
import type { ClientRequest, LogLevel } from '@junctor/protocol'
import { keptOr } from '@junctor/primitives'
import type { BackendEntry } from '../shared/backend-entry.ts'
import { pause } from '../shared/pause.ts'
import type { TenantEntry } from '../shared/tenant-entry.ts'
import type { CallerView } from '../upstream/callers/caller-view.ts'
import type { BackendCatalogue } from '../upstream/catalogue/backend-catalogue.ts'
import type { SlotSource } from '../upstream/callers/caller-links.ts'
import type { Caller } from '../upstream/callers/caller.ts'
import type { LinkSlot } from '../upstream/links/link-slot.ts'
import type { ExclusiveLink, ExclusiveLinks } from './exclusive-links.ts'

/** How long log messages may take longer than an answer, in milliseconds. */
const lateMs = 20

/** What all request callers of a node use. */
export interface RequestCallerParts {
  readonly exclusiveLinks: ExclusiveLinks
  readonly source: SlotSource
  readonly catalogue: Pick<BackendCatalogue, 'hasOwnLists' | 'latest'>
  /** The request that has each exclusive link, by the id of the link. */
  readonly linkUsers: Map<string, Caller>
}

/**
 * One request of 2026-07-28 whose client can be asked, or wants log messages. It has a link of its own to each backend
 * whose messages may not name the request that caused them. Otherwise it is like the other requests of its principal.
 */
export class RequestCaller implements Caller {
  readonly context: CallContext
  readonly logLevel: LogLevel | undefined
  /** Requests subscribe to nothing. */
  subscriptions = 0
  readonly #shared: Caller
  readonly #exchange: Exchange
  readonly #parts: RequestCallerParts
  readonly #leased = new Map<BackendEntry, ExclusiveLink>()
  /** For each backend that it has used, whether its link is its own. Decided once: only one process has its task. */
  readonly #isAlone = new Map<BackendEntry, boolean>()
  /** What it sees of the backends, if that differs from what the other requests of its principal see. */
  #view: CallerView | undefined
  #scopes: ReadonlyMap<BackendEntry, Scope> | undefined

  /**
   * @param shared the caller of all requests of the principal with the same capabilities
   * @param logLevel the lowest level of the log messages that the request asks for
   */
  constructor(shared: Caller, exchange: Exchange, logLevel: LogLevel | undefined, parts: RequestCallerParts) {
    this.context = exchange.context
    this.logLevel = logLevel
    this.#shared = shared
    this.#exchange = exchange
    this.#parts = parts
  }

  get id(): undefined {
    return undefined
  }

  get tenant(): TenantEntry {
    return this.#shared.tenant
  }

  get ended(): boolean {
    return this.#exchange.ended !== undefined
  }

  get lastView(): CallerView | undefined {
    return this.#ownScopes().size === 0 ? this.#shared.lastView : this.#view
  }

  set lastView(view: CallerView | undefined) {
    if (this.#ownScopes().size === 0) this.#shared.lastView = view
    else this.#view = view
  }

  scope(entry: BackendEntry): Scope {
    return this.#ownScopes().get(entry) ?? this.#shared.scope(entry)
  }

  slot(entry: BackendEntry): LinkSlot {
    const scope = this.#shared.scope(entry)
    if (scope.principal === undefined || !this.#mustBeAlone(entry)) return this.#shared.slot(entry)
    let link = this.#leased.get(entry)
    if (link === undefined) {
      link = this.#parts.exclusiveLinks.lease(entry, scope)
      this.#leased.set(entry, link)
      this.#parts.linkUsers.set(link.scope.key, this)
    }
    return this.#parts.source.slot(entry, withTokenOf(scope, link.scope))
  }

  /**
   * The scopes of links that have changed their lists. Requests that run one after the other use the same link, so what
   * one of them has added, such as tools, is there for the next. They stay the same as long as the request runs.
   */
  #ownScopes(): ReadonlyMap<BackendEntry, Scope> {
    if (this.#scopes !== undefined) return this.#scopes
    const { exclusiveLinks, catalogue } = this.#parts
    const scopes = new Map<BackendEntry, Scope>()
    for (const entry of exclusiveLinks.entries()) {
      if (!this.tenant.backends.includes(entry) || !this.#mustBeAlone(entry)) continue
      const shared = this.#shared.scope(entry)
      const link = exclusiveLinks.first(entry, shared)
      if (link === undefined || !catalogue.hasOwnLists(entry, link.scope)) continue
      scopes.set(entry, withTokenOf(shared, link.scope))
    }
    this.#scopes = scopes
    return scopes
  }

  #mustBeAlone(entry: BackendEntry): boolean {
    return keptOr(this.#isAlone, entry, () => this.#decideAlone(entry))
  }

  /**
   * Whether the request must not share a link with others of its principal. A server of 2026-07-28 asks in its results,
   * so its questions need no link of their own. Log messages may not name their request: over HTTP, a server with
   * sessions may send them on the stream of the session.
   */
  #decideAlone(entry: BackendEntry): boolean {
    const known = this.#parts.catalogue.latest(entry, this.#shared.scope(entry))
    const isStateless = known?.server.revision === '2026-07-28'
    const { correlates } = entry.backend
    return this.logLevel === undefined ? !isStateless && !correlates : !isStateless || !correlates
  }

  slots(): readonly LinkSlot[] {
    return this.#shared.slots()
  }

  notify(notification: NotificationBody): void {
    this.#exchange.notify(notification)
  }

  ask(request: ClientRequest, options?: AskOptions): Promise<Answer> {
    return this.#exchange.ask(request, options)
  }

  /**
   * Resolves when its log messages have probably arrived: a server with sessions may send them over another connection than
   * its answer, which then may be first. `undefined`: none can be on their way.
   */
  lateMessages(): Promise<void> | undefined {
    if (this.logLevel === undefined || this.ended) return undefined
    for (const { entry } of this.#leased.values()) if (entry.backend.correlates) return pause(lateMs)
    return undefined
  }

  /** Frees its links for other requests. Called once, when the request is over. */
  release(now: number): void {
    for (const link of this.#leased.values()) {
      this.#parts.linkUsers.delete(link.scope.key)
      if (this.ended) this.#parts.exclusiveLinks.drop(link)
      else this.#parts.exclusiveLinks.giveBack(link, now)
    }
    this.#leased.clear()
  }
}

/** The scope of a link with the token of this request, whichever one had the link before. */
function withTokenOf({ callerToken }: Scope, scope: Scope): Scope {
  return callerToken === undefined ? scope : { ...scope, callerToken }
}
