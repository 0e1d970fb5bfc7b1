import type { Scope, ServerInfo } from '@junctor/contracts'
import { canonicalText, isJsonObject, type Payload } from '@junctor/jsonrpc'
import { keptOr, removeOldest } from '@junctor/primitives'
import type { BackendEntry } from '../../shared/backend-entry.ts'
import { readToolViews } from '../../shared/tool-views.ts'
import type { LinkSlot } from '../links/link-slot.ts'
import { ReportingLinks } from './reporting-links.ts'
import type { Snapshot } from './snapshot.ts'

/** The answer of one query: a snapshot, or none. */
export interface ListAnswer {
  readonly snapshot: Snapshot | undefined
  /** Epoch milliseconds from which the backend must be asked again. */
  readonly expires: number
  /** Why there is no snapshot, or why it lacks a list. Absent: it is whole, or the backend was not reached. */
  readonly failure?: Error
  /** How often in a row the backend has given only some of its lists. */
  readonly failures?: number
}

/** What data that was made from the catalogue remembers. */
export interface CatalogueState {
  /** The version of the catalogue. */
  readonly version: number
  /** Epoch milliseconds from which one of its answers is outdated. */
  readonly expires: number
}

/**
 * The most answers of one backend: clients choose what they declare, so they must not fill the memory. A backend whose
 * answer is gone is asked again.
 */
const keptAnswers = 1_000

/** Lists of which nothing reports changes are asked for again after this time, in milliseconds. */
export const unreportedAgeMs: number = 5 * 60_000

/** What this node knows about the lists of its backends. Sends no requests itself: see `CatalogueLoader`. */
export class BackendCatalogue {
  readonly #now: () => number
  /**
   * Answers by backend, then by key: the common answer of sessions with equal capabilities, or that of one link's
   * scope.
   */
  readonly #known = new Map<BackendEntry, Map<string, ListAnswer>>()
  /** The key of the common answer that came last for each tenant. */
  readonly #lastKeys = new WeakMap<BackendEntry, Map<string, string>>()
  /** Scopes whose lists have changed for them alone, each with its backend's name. */
  readonly #own = new Set<string>()
  /** What each backend said last to clients of each era, the latest at the end; also when it is gone now. */
  readonly #servers = new WeakMap<BackendEntry, Map<Scope['era'], SeenServer>>()
  readonly #changes = new WeakMap<BackendEntry, number>()
  readonly #reporting = new ReportingLinks()
  /** Increases with every change, so that data that was derived from an older version is known to be outdated. */
  version = 0

  constructor(now: () => number) {
    this.#now = now
  }

  /** What the backend offers to the scope. `undefined`: the backend must be asked first. */
  current(entry: BackendEntry, scope: Scope): Snapshot | undefined {
    return this.#fresh(entry, scope)?.snapshot
  }

  /** The same, but returns an outdated answer if there is no current one. */
  latest(entry: BackendEntry, scope: Scope): Snapshot | undefined {
    return this.#answer(entry, scope)?.snapshot
  }

  /**
   * What the backend offered last to callers of the tenant that declare other capabilities, for a caller for which it has
   * not been asked yet. `undefined`: it has been, or it has given no lists, or those of each caller are its own.
   */
  offeredToOthers(entry: BackendEntry, scope: Scope): Snapshot | undefined {
    if (this.keyOf(entry, scope) === scope.key || this.#answer(entry, scope) !== undefined) return undefined
    const key = this.#lastKeys.get(entry)?.get(scope.tenant)
    return key === undefined ? undefined : this.#known.get(entry)?.get(key)?.snapshot
  }

  /** From when the current answer is outdated, in epoch milliseconds. 0: there is none. */
  expires(entry: BackendEntry, scope: Scope): number {
    return this.#fresh(entry, scope)?.expires ?? 0
  }

  /** Whether what was made from this version is still what the backends offer. */
  isCurrent({ version, expires }: CatalogueState): boolean {
    return version === this.version && expires > this.#now()
  }

  /** Whether the backend need not be asked now: its answer is current, or it failed a moment ago. */
  isFresh(entry: BackendEntry, scope: Scope): boolean {
    return this.#fresh(entry, scope) !== undefined
  }

  /** Whether the backend did not answer, or not with all lists, when it was asked last. */
  hasFailed(entry: BackendEntry, scope: Scope): boolean {
    const answer = this.#answer(entry, scope)
    return answer !== undefined && !isWhole(answer)
  }

  /** Why the backend, which was reached, did not list all that it offers to the scope. `undefined`: it did. */
  failure(entry: BackendEntry, scope: Scope): Error | undefined {
    return this.#answer(entry, scope)?.failure
  }

  /** How often in a row the backend has given only some of its lists to the scope. */
  failures(entry: BackendEntry, scope: Scope): number {
    return this.#answer(entry, scope)?.failures ?? 0
  }

  /** What the backend offered until the time of its answer was over, without a report of a change. */
  lapsed(entry: BackendEntry, scope: Scope): Snapshot | undefined {
    const answer = this.#answer(entry, scope)
    return answer !== undefined && isWhole(answer) && answer.expires > 0 ? answer.snapshot : undefined
  }

  /** In how many milliseconds the backend may be asked again, because it has failed. `undefined`: it may be now. */
  askedAgainInMs(entry: BackendEntry, scope: Scope): number | undefined {
    const answer = this.#fresh(entry, scope)
    return answer === undefined || isWhole(answer) ? undefined : Math.ceil(answer.expires - this.#now())
  }

  /**
   * The latest server information of the backend.
   *
   * @param era prefers what it said to clients of this era: servers of both declare other capabilities in each
   */
  server(entry: BackendEntry, era?: Scope['era']): ServerInfo | undefined {
    return this.#seen(entry, era)?.server
  }

  /** Whether the backend offered views (MCP Apps) when it was asked last. */
  hasViews(entry: BackendEntry): boolean {
    return this.#seen(entry)?.hasViews === true
  }

  /** The key of the answer; equal for all scopes of the backend that share one answer. */
  keyOf(entry: BackendEntry, scope: Scope): string {
    return isOfOneOwner(entry) || this.hasOwnLists(entry, scope) ? scope.key : commonKey(scope, scope.era)
  }

  /** Whether the lists of the scope have changed for it alone. */
  hasOwnLists(entry: BackendEntry, scope: Scope): boolean {
    return this.#own.has(ownKey(entry, scope))
  }

  /** How often the backend has changed: an answer that was requested before a change is outdated when it arrives. */
  changes(entry: BackendEntry): number {
    return this.#changes.get(entry) ?? 0
  }

  /**
   * Keeps the answer of the slot's link. Ignores it when the slot was retired meanwhile: it is not valid for other
   * scopes.
   */
  keep({ entry, scope, retired, link }: LinkSlot, answer: ListAnswer): void {
    const { snapshot } = answer
    if (snapshot !== undefined) {
      // The lists of one person are not for others.
      const server = hidesInstructions(entry) ? { ...snapshot.server, instructions: undefined } : snapshot.server
      const hasViews = snapshot.failures.tools === undefined ? snapshot.lists.tools.some(hasView) : this.hasViews(entry)
      const seen = keptOr(this.#servers, entry, () => new Map())
      seen.delete(scope.era)
      seen.set(scope.era, { server, hasViews })
    }
    // The key is computed now: a change meanwhile may have separated the scope from the others.
    if (retired) return
    // A link that broke a moment ago reports no changes.
    const expires = link === undefined ? Math.min(answer.expires, this.#now() + unreportedAgeMs) : answer.expires
    const key = this.keyOf(entry, scope)
    this.#put(entry, key, { ...answer, expires })
    if (key !== scope.key) keptOr(this.#lastKeys, entry, () => new Map()).set(scope.tenant, key)
  }

  /** Called when the lists of the slot's link have changed. */
  changed({ entry, scope }: LinkSlot): void {
    // A link of one session reports for that session only: the lists of others need not have changed.
    const own = ownKey(entry, scope)
    if (scope.session !== undefined && !this.#own.has(own)) {
      const answer = this.#answer(entry, scope)
      this.#own.add(own)
      if (answer !== undefined) this.#put(entry, scope.key, answer)
    }
    for (const key of reportedKeys(scope)) this.#expire(entry, key, 0)
    this.#change(entry)
  }

  /** Called when the slot's link is open, which reports changes from now on. */
  linked({ entry, scope }: LinkSlot): void {
    this.#reporting.add(entry, reportedKeys(scope))
  }

  /** Called when that link has closed, or has broken. */
  unlinked({ entry, scope }: LinkSlot): void {
    const until = this.#now() + unreportedAgeMs
    const unreported = this.#reporting.remove(entry, reportedKeys(scope))
    // What was made from the answers knows when they expire.
    if (unreported.filter((key) => this.#expire(entry, key, until)).length > 0) this.version += 1
  }

  /** Called when the backend is gone or back: all its answers are removed. */
  forget(entry: BackendEntry): void {
    this.#known.delete(entry)
    this.#change(entry)
  }

  /** Called when the scope ends permanently: removes what only its link has seen. */
  retired(entry: BackendEntry, scope: Scope): void {
    this.#own.delete(ownKey(entry, scope))
    this.#known.get(entry)?.delete(scope.key)
  }

  #seen(entry: BackendEntry, era?: Scope['era']): SeenServer | undefined {
    const seen = this.#servers.get(entry)
    const own = era === undefined ? undefined : seen?.get(era)
    return own ?? [...(seen?.values() ?? [])].at(-1)
  }

  /** The answer for the scope; as long as there is none, that of a link for clients of both eras. */
  #answer(entry: BackendEntry, scope: Scope): ListAnswer | undefined {
    const answers = this.#known.get(entry)
    const key = this.keyOf(entry, scope)
    return answers?.get(key) ?? (key === scope.key ? undefined : answers?.get(commonKey(scope, undefined)))
  }

  #fresh(entry: BackendEntry, scope: Scope): ListAnswer | undefined {
    const answer = this.#answer(entry, scope)
    return answer !== undefined && answer.expires > this.#now() ? answer : undefined
  }

  #put(entry: BackendEntry, key: string, answer: ListAnswer): void {
    const answers = keptOr(this.#known, entry, () => new Map())
    answers.delete(key)
    answers.set(key, answer)
    removeOldest(answers, keptAnswers)
    this.version += 1
  }

  /**
   * Makes an answer outdated from a moment on, in epoch milliseconds. It stays until there is a newer one. Returns false if
   * there is none, or it was to be outdated before that.
   */
  #expire(entry: BackendEntry, key: string, expires: number): boolean {
    const answers = this.#known.get(entry)
    const answer = answers?.get(key)
    if (answer === undefined || answer.expires <= expires) return false
    answers?.set(key, { ...answer, expires })
    return true
  }

  #change(entry: BackendEntry): void {
    this.#changes.set(entry, this.changes(entry) + 1)
    this.version += 1
  }
}

/** Whether a backend gave all its lists. */
function isWhole({ snapshot, failure }: ListAnswer): boolean {
  return snapshot !== undefined && failure === undefined
}

/**
 * Whether clients do not get the instructions of a backend: those for one person are not for another, and a model follows
 * instructions, so with `pins: block` no client gets texts that are not approved.
 */
function hidesInstructions(entry: BackendEntry): boolean {
  return isOfOneOwner(entry) || entry.pins?.mode === 'block'
}

/** Whether the backend answers each person with that person's account. */
function isOfOneOwner({ backend }: BackendEntry): boolean {
  return backend.isPersonal === true
}

function ownKey({ backend }: BackendEntry, { key }: Scope): string {
  return `${backend.name} ${key}`
}

/** What a backend says about itself. */
interface SeenServer {
  readonly server: ServerInfo
  readonly hasViews: boolean
}

function hasView(tool: Payload): boolean {
  const value = tool.value()
  return isJsonObject(value) && (readToolViews(value)?.uris.length ?? 0) > 0
}

/** The keys of the answers that the links of a scope report changes of. */
function reportedKeys(scope: Scope): ReadonlySet<string> {
  return new Set([scope.key, commonKey(scope, scope.era), commonKey(scope, undefined)])
}

/** The key of the common answer: sessions of a tenant with equal capabilities, of one era, get the same lists. */
function commonKey({ tenant, capabilities }: Scope, era: Scope['era']): string {
  return `common ${tenant} ${era ?? ''} ${canonicalText(capabilities)}`
}
