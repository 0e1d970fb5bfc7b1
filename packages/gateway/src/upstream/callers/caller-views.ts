import type { BackendEntry } from '../../shared/backend-entry.ts'
import type { GatewayLimits } from '../../shared/limits.ts'
import type { BackendCatalogue } from '../catalogue/backend-catalogue.ts'
import type { CatalogueLoader } from '../catalogue/catalogue-loader.ts'
import type { MergedViews } from '../catalogue/merged-views.ts'
import type { ViewPart } from '../catalogue/tenant-view.ts'
import type { Caller } from './caller.ts'
import type { CallerView } from './caller-view.ts'

export interface CallerViewParts {
  readonly catalogue: BackendCatalogue
  readonly loader: CatalogueLoader
  readonly merged: MergedViews
  /** How long callers wait for backends that start. */
  readonly limits: Pick<GatewayLimits, 'startWaitMs' | 'untoldStartWaitMs'>
}

/** What is known now. `fresh` is false when something of it is old or missing. */
interface Look {
  readonly seen: CallerView
  readonly fresh: boolean
}

/** What each caller sees of its tenant's backends. */
export class CallerViews {
  readonly #parts: CallerViewParts
  /** Callers for which a backend is asked again while they go on with what they knew. */
  readonly #renewing = new Set<Caller>()

  constructor(parts: CallerViewParts) {
    this.#parts = parts
  }

  /** At once when nothing changed since the caller last looked and every backend is known. */
  of(caller: Caller): CallerView | Promise<CallerView> {
    const { seen } = caller
    if (seen !== undefined && seen.version === this.#parts.catalogue.version) return seen
    const look = this.#look(caller)
    return look.fresh ? look.seen : this.#load(caller)
  }

  /**
   * The same for a request that needs no more than one name. What is known of every backend, though of some it be old,
   * does when it has the name, and is asked again meanwhile: a backend whose lists change all the time, or that is slow
   * to tell, does not hold up calls to the others.
   */
  having(caller: Caller, kind: 'tools' | 'prompts', name: string): CallerView | Promise<CallerView> {
    const { seen } = caller
    if (seen !== undefined && seen.version === this.#parts.catalogue.version) return seen
    const look = this.#look(caller)
    if (look.fresh) return look.seen
    if (look.seen.missing.length > 0 || !look.seen.view.routes[kind].has(name)) return this.#load(caller)
    this.#renew(caller)
    return look.seen
  }

  /** Merges what is known now, and keeps it as what the caller has seen when all of it is fresh. */
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
    // What is not fresh is looked at again next time, whatever the version is then.
    const seen = { ...merged.of(caller.tenant, parts), missing, version: fresh ? version : -1 }
    if (fresh) caller.seen = seen
    return { seen, fresh }
  }

  async #load(caller: Caller): Promise<CallerView> {
    const { loader, limits } = this.#parts
    const { backends, tenant } = caller.tenant
    const waitMs = tenant.profile.announcesLists ? limits.startWaitMs : limits.untoldStartWaitMs
    // One backend that hangs must not hold up what the others offer.
    await Promise.all(backends.map((entry) => loader.load(entry, caller.scope(entry), waitMs)))
    caller.seen = this.#look(caller).seen
    return caller.seen
  }

  #renew(caller: Caller): void {
    if (this.#renewing.has(caller)) return
    this.#renewing.add(caller)
    void this.#load(caller).finally(() => this.#renewing.delete(caller))
  }
}
