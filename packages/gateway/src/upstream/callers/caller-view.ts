import type { BackendEntry } from '../../shared/backend-entry.ts'
import type { BareNames } from '../catalogue/bare-names.ts'
import type { ListPages } from '../catalogue/list-pages.ts'
import type { TenantView } from '../catalogue/tenant-view.ts'

/** What a caller sees of its tenant's backends. Valid until they change. */
export interface CallerView {
  readonly view: TenantView
  readonly pages: ListPages
  readonly bare: BareNames
  /** Backends whose lists are not known. */
  readonly missing: readonly BackendEntry[]
  /** The version of the catalogue that the view was made from; -1: the view was outdated already. */
  readonly version: number
}
