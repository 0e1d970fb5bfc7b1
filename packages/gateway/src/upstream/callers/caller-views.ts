import type { BackendEntry } from '../../shared/backend-entry.ts'
import type { GatewayLimits } from '../../shared/limits.ts'
import type { BackendCatalogue } from '../catalogue/backend-catalogue.ts'
import type { CatalogueLoader } from '../catalogue/catalogue-loader.ts'
import type { MergedViews } from '../catalogue/merged-views.ts'
import type { ViewPart } from '../catalogue/tenant-view.ts'
import type { Caller } from './caller.ts'
import type { CallerView } from './caller-view.ts'
import { ownerOf } from './owner-of.ts'
import { possibleOwner } from './possible-owner.ts'

export interface CallerViewParts {
  readonly catalogue: BackendCatalogue
  readonly loader: CatalogueLoader
  readonly merged: MergedViews
  /** How long callers wait for starting backends. */
  readonly limits: Pick<GatewayLimits, 'startWaitMs' | 'unannouncedStartWaitMs'>
}

/** The current view. `fresh` is false when a part of it is outdated or missing. */
interface Look {
  readonly seen: CallerView
  readonly fresh: boolean
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
    const { seen } = caller
    if (seen !== undefined && seen.version === this.#parts.catalogue.version) return seen
    const look = this.#look(caller)
    return look.fresh ? look.seen : this.#load(caller)
  }

  /**
   * Returns a view for a request that needs only one name. When every backend is known and the name is found, an outdated
   * view is enough; it is renewed in the background. So a backend whose lists change all the time, or that is slow to
   * list, does not delay calls to the others. A name that is unknown, but may be of a backend that still starts, waits for
   * that backend as long as a call may take.
   */
  forName(caller: Caller, kind: 'tools' | 'prompts', name: string): CallerView | Promise<CallerView> {
    const { seen } = caller
    if (seen !== undefined && seen.version === this.#parts.catalogue.version) return seen
    const look = this.#look(caller)
    if (look.fresh) return look.seen
    if (look.seen.missing.length > 0 || !look.seen.view.routes[kind].has(name)) {
      return this.#loadOwner(caller, kind, name)
    }
    this.#renew(caller)
    return look.seen
  }

  /** When a request for something of a backend whose lists are not known may be sent again, in milliseconds. */
  retryAfterMs(caller: Caller, entry: BackendEntry): number {
    return this.#parts.catalogue.askedAgainInMs(entry, caller.scope(entry)) ?? startingRetryMs
  }

  /** Whether the backend, which was reached, failed to list what it offers. */
  failsToList(caller: Caller, entry: BackendEntry): boolean {
    return this.#parts.catalogue.failure(entry, caller.scope(entry)) !== undefined
  }

  /** Merges what is known now, and keeps it as the caller's view when all of it is fresh. */
  #look(caller: Caller): Look {
    const { catalogue, merged } = this.#parts
    const parts: ViewPart[] = []
    const missing: BackendEntry[] = []
    const { version } = catalogue
    let fresh = true
    for (const entry of caller.tenant.backends) {
      const scope = caller.scope(entry)
      const current = catalogue.current(entry, scope)
      const snapshot = current ?? catalogue.latest(entry, scope)
      if (current === undefined) fresh = false
      if (snapshot === undefined) missing.push(entry)
      else parts.push({ entry, snapshot })
    }
    // A view that is not fresh is made again next time, for every version.
    const seen = { ...merged.of(caller.tenant, parts), missing, version: fresh ? version : -1 }
    if (fresh) caller.seen = seen
    return { seen, fresh }
  }

  async #load(caller: Caller): Promise<CallerView> {
    const { loader, limits } = this.#parts
    const { backends, tenant } = caller.tenant
    const waitMs = tenant.profile.announcesLists ? limits.startWaitMs : limits.unannouncedStartWaitMs
    // One backend that hangs must not delay the lists of the others.
    await Promise.all(backends.map((entry) => loader.load(entry, caller.scope(entry), waitMs)))
    caller.seen = this.#look(caller).seen
    return caller.seen
  }

  async #loadOwner(caller: Caller, kind: 'tools' | 'prompts', name: string): Promise<CallerView> {
    const seen = await this.#load(caller)
    if (ownerOf(seen, kind, name).kind !== 'none') return seen
    const owner = possibleOwner(caller.tenant, seen.missing, name)
    if (owner === undefined) return seen
    await this.#parts.loader.load(owner, caller.scope(owner), owner.timeoutMs)
    caller.seen = this.#look(caller).seen
    return caller.seen
  }

  #renew(caller: Caller): void {
    if (this.#renewing.has(caller)) return
    this.#renewing.add(caller)
    void this.#load(caller).finally(() => this.#renewing.delete(caller))
  }
}
