import type { Log } from '@junctor/contracts'
import { keptOr } from '@junctor/primitives'
import type { TenantEntry } from '../../shared/tenant-entry.ts'
import { BareNames } from './bare-names.ts'
import { createListPages, type ListPages } from './list-pages.ts'
import { reportCollisions } from './report-collisions.ts'
import type { Snapshot } from './snapshot.ts'
import { mergeView, type Offers, offersOf, type TenantView, type ViewPart } from './tenant-view.ts'

/** The most names of one tenant that are remembered as logged: a backend may offer others again and again. */
const keptNames = 1_000

/** The merged lists of a tenant's backends, with their pages, and with the backends' own names. */
export interface MergedView {
  readonly view: TenantView
  readonly pages: ListPages
  readonly bare: BareNames
}

/** What was made for one tenant. All of it goes with the snapshots that it was made from. */
interface MadeViews {
  readonly offers: WeakMap<Snapshot, Offers>
  /** The view of no snapshots, from which those of one follow, and so on. */
  readonly root: MadeView
}

interface MadeView {
  merged?: MergedView
  /** The views with one snapshot more. */
  readonly longer: WeakMap<Snapshot, MadeView>
}

/** Merges the lists of backends, once for all callers that see the same. A changed backend alone is read again. */
export class MergedViews {
  readonly #pageItems: number
  readonly #log: Log
  readonly #made = new WeakMap<TenantEntry, MadeViews>()
  /** The names of two backends that were logged. */
  readonly #logged = new WeakMap<TenantEntry, Set<string>>()

  /** @param pageItems the most items of a list on one page */
  constructor(pageItems: number, log: Log) {
    this.#pageItems = pageItems
    this.#log = log
  }

  /** The merged view of these snapshots. A name that two backends offer is logged once. */
  of(tenant: TenantEntry, parts: readonly ViewPart[]): MergedView {
    const made = keptOr(this.#made, tenant, () => ({ offers: new WeakMap(), root: { longer: new WeakMap() } }))
    let at = made.root
    for (const { snapshot } of parts) at = keptOr(at.longer, snapshot, () => ({ longer: new WeakMap() }))
    return (at.merged ??= this.#merge(tenant, parts, made.offers))
  }

  #merge(tenant: TenantEntry, parts: readonly ViewPart[], offers: MadeViews['offers']): MergedView {
    const view = mergeView(tenant, parts, (part) => keptOr(offers, part.snapshot, () => offersOf(tenant, part)))
    this.#report(tenant, view)
    const bare = new BareNames(view, tenant)
    const aliases = tenant.bareNames === undefined || tenant.bareNames === 'listed' ? bare : undefined
    return { view, pages: createListPages(view, this.#pageItems, aliases), bare }
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
