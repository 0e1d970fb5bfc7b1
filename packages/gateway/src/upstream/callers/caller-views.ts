import type { Scope } from '@junctor/contracts'
import type { BackendEntry } from '../../shared/backend-entry.ts'
import type { GatewayLimits } from '../../shared/limits.ts'
import type { BackendCatalogue } from '../catalogue/backend-catalogue.ts'
import type { CatalogueLoader } from '../catalogue/catalogue-loader.ts'
import type { MergedViews } from '../catalogue/merged-views.ts'
import { listKinds } from '../catalogue/snapshot.ts'
import type { ViewPart } from '../catalogue/tenant-view.ts'
import type { Caller } from './caller.ts'
import { type CallerView, findRoute, missingOf, type MissingLists } from './caller-view.ts'
import { namedOwners, possibleOwner } from './possible-owner.ts'

/** The lists of backends, how missing ones are loaded, and how long a caller waits for them. */
export interface CallerViewParts {
  readonly catalogue: BackendCatalogue
  readonly loader: CatalogueLoader
  readonly merged: MergedViews
  /** How long callers wait for starting backends. */
  readonly limits: Pick<GatewayLimits, 'startWaitMs' | 'unannouncedStartWaitMs'>
}

/** When a request for something of a backend that still starts may be sent again, in milliseconds. */
const startingRetryMs = 1_000

/** The view that each caller has of its tenant's backends. */
export class CallerViews {
  readonly #parts: CallerViewParts
  /** Callers that use an outdated view while a backend is asked again. */
  readonly #renewing = new Set<Caller>()

  constructor(parts: CallerViewParts) {
    this.#parts = parts
  }

  /** Returns the view immediately when nothing changed since the caller's last view and every backend is known. */
  of(caller: Caller): CallerView | Promise<CallerView> {
    const current = this.#current(caller)
    if (current !== undefined) return current
    const view = this.#look(caller)
    return this.#parts.catalogue.isCurrent(view) ? view : this.#load(caller)
  }

  /**
   * Returns a view for a request that needs only one name. When the name is found, and can be of no backend that is
   * asked for the first time, an outdated view is enough; it is renewed in the background. So a backend whose lists
   * change all the time, or that does not list, does not delay calls to the others. A name that is unknown, but may be of
   * a backend that still starts, waits for that backend as long as a call may take.
   */
  forName(caller: Caller, kind: 'tools' | 'prompts', name: string): CallerView | Promise<CallerView> {
    const current = this.#current(caller)
    if (current !== undefined) return current
    const isFound = ({ view }: CallerView): boolean => view.routes[kind].has(name)
    const mayBeOf = (asked: readonly BackendEntry[]): boolean => possibleOwner(caller.tenant, asked, name) !== undefined
    return this.#enough(caller, isFound, mayBeOf) ?? this.#loadOwner(caller, kind, name)
  }

  /** Returns a view for a request that needs only what `isFound` looks for, which may be of any backend. */
  forMatch(caller: Caller, isFound: (view: CallerView) => boolean): CallerView | Promise<CallerView> {
    const current = this.#current(caller) ?? this.#enough(caller, isFound, (asked) => asked.length > 0)
    return current ?? this.#load(caller)
  }

  /** What the caller saw last; what is known now if that was forgotten. No backend is asked. */
  seen(caller: Caller): CallerView {
    return caller.lastView ?? this.#look(caller)
  }

  /** Forgets outdated views: a caller that sends nothing must not keep lists that no client can ask for any more. */
  forgetOutdated(callers: Iterable<Caller>): void {
    for (const caller of callers) if (this.#current(caller) === undefined) caller.lastView = undefined
  }

  /** When a request for something of a backend whose lists are not known may be sent again, in milliseconds. */
  retryAfterMs(caller: Caller, entry: BackendEntry): number {
    return this.#parts.catalogue.askedAgainInMs(entry, caller.scope(entry)) ?? startingRetryMs
  }

  /** Whether the backend, which was reached, failed to list what it offers. */
  failsToList(caller: Caller, entry: BackendEntry): boolean {
    return this.#parts.catalogue.failure(entry, caller.scope(entry)) !== undefined
  }

  /** The caller's last view, if nothing has changed since. */
  #current({ lastView }: Caller): CallerView | undefined {
    return lastView !== undefined && this.#parts.catalogue.isCurrent(lastView) ? lastView : undefined
  }

  /**
   * A view made now; or an outdated one in which it is found, if it may not be of a backend that is asked for the first
   * time: until then, a name of two backends is not known to be one. A backend that has failed before would delay
   * requests to others each time that it is asked again.
   */
  #enough(
    caller: Caller,
    isFound: (view: CallerView) => boolean,
    mayBeOf: (asked: readonly BackendEntry[]) => boolean,
  ): CallerView | undefined {
    const { catalogue } = this.#parts
    const view = this.#look(caller)
    if (catalogue.isCurrent(view)) return view
    if (!isFound(view)) return undefined
    const asked = view.missing.map(({ entry }) => entry)
    const isUnknown = (entry: BackendEntry, scope: Scope): boolean =>
      !catalogue.hasFailed(entry, scope) && catalogue.offeredToOthers(entry, scope) === undefined
    if (mayBeOf(asked.filter((entry) => isUnknown(entry, caller.scope(entry))))) return undefined
    this.#renew(caller)
    return view
  }

  /** Merges what is known now into the caller's view: what is decided for a request looks at the view that it found. */
  #look(caller: Caller): CallerView {
    const { catalogue, merged } = this.#parts
    const parts: ViewPart[] = []
    const missing: MissingLists[] = []
    const { version } = catalogue
    let expires = Infinity
    for (const entry of caller.tenant.backends) {
      const scope = caller.scope(entry)
      const current = catalogue.current(entry, scope)
      const snapshot = current ?? catalogue.latest(entry, scope)
      // A view with a part that is outdated is made again next time.
      expires = Math.min(expires, current === undefined ? 0 : catalogue.expires(entry, scope))
      const kinds = listKinds.filter((kind) => snapshot === undefined || snapshot.failures[kind] !== undefined)
      if (kinds.length > 0) missing.push({ entry, kinds })
      const shown = snapshot ?? catalogue.offeredToOthers(entry, scope)
      if (shown !== undefined) parts.push({ entry, snapshot: shown })
    }
    const view = { ...merged.of(caller.tenant, parts), missing, version, expires }
    caller.lastView = view
    return view
  }

  async #load(caller: Caller, backends = caller.tenant.backends): Promise<CallerView> {
    const { loader, limits } = this.#parts
    const { tenant } = caller.tenant
    const waitMs = tenant.profile.announcesLists ? limits.startWaitMs : limits.unannouncedStartWaitMs
    // One backend that hangs must not delay the lists of the others.
    await Promise.all(backends.map((entry) => loader.load(entry, caller.scope(entry), waitMs, caller)))
    return this.#look(caller)
  }

  async #loadOwner(caller: Caller, kind: 'tools' | 'prompts', name: string): Promise<CallerView> {
    const named = namedOwners(caller.tenant, name)
    if (named.length > 0) {
      const view = await this.#load(caller, named)
      if (findRoute(view, kind, name).kind === 'one') {
        this.#renew(caller)
        return view
      }
    }
    const view = await this.#load(caller)
    if (findRoute(view, kind, name).kind !== 'none') return view
    const owner = possibleOwner(caller.tenant, missingOf(view, kind), name)
    if (owner === undefined) return view
    await this.#parts.loader.load(owner, caller.scope(owner), owner.timeoutMs, caller)
    return this.#look(caller)
  }

  #renew(caller: Caller): void {
    if (this.#renewing.has(caller)) return
    this.#renewing.add(caller)
    void this.#load(caller).finally(() => this.#renewing.delete(caller))
  }
}
