import type { Log } from '@junctor/contracts'
import type { TenantEntry } from '../../shared/tenant-entry.ts'
import { BareNames } from './bare-names.ts'
import type { ListPages } from './list-pages.ts'
import { createListPages } from './list-pages.ts'
import { reportCollisions } from './report-collisions.ts'
import type { TenantView, ViewPart } from './tenant-view.ts'
import { mergeView } from './tenant-view.ts'

/** The most merged views of one tenant: one for each set of client capabilities in use, and some outdated ones. */
const keptViews = 16

/** The most names of one tenant that are remembered as logged: a backend may offer others again and again. */
const keptNames = 1_000

/** The merged lists of a tenant's backends, with their pages, and with the backends' own names. */
export interface MergedView {
  readonly view: TenantView
  readonly pages: ListPages
  readonly bare: BareNames
}

/** Merges the lists of backends, once for all callers that see the same. */
export class MergedViews {
  readonly #pageItems: number
  readonly #log: Log
  readonly #views = new WeakMap<TenantEntry, Map<string, MergedView>>()
  /** The names of two backends that were logged. */
  readonly #logged = new WeakMap<TenantEntry, Set<string>>()

  /** @param pageItems the most items of a list on one page */
  constructor(pageItems: number, log: Log) {
    this.#pageItems = pageItems
    this.#log = log
  }

  /** The merged view of these snapshots. A name that two backends offer is logged once. */
  of(tenant: TenantEntry, parts: readonly ViewPart[]): MergedView {
    let views = this.#views.get(tenant)
    if (views === undefined) this.#views.set(tenant, (views = new Map()))
    const key = parts.map(({ snapshot }) => snapshot.id).join(' ')
    const found = views.get(key)
    if (found !== undefined) return found
    const view = mergeView(tenant, parts)
    this.#report(tenant, view)
    const bare = new BareNames(view, tenant)
    const aliases = tenant.bareNames === undefined || tenant.bareNames === 'listed' ? bare : undefined
    const merged = { view, pages: createListPages(view, this.#pageItems, aliases), bare }
    views.set(key, merged)
    const [oldest] = views.keys()
    if (views.size > keptViews && oldest !== undefined) views.delete(oldest)
    return merged
  }

  #report(tenant: TenantEntry, { collisions }: TenantView): void {
    let logged = this.#logged.get(tenant)
    if (logged === undefined || logged.size > keptNames) this.#logged.set(tenant, (logged = new Set()))
    for (const collision of collisions) {
      const name = `${collision.kind} ${collision.name}`
      if (!logged.has(name)) reportCollisions(this.#log, [collision])
      logged.add(name)
    }
  }
}
