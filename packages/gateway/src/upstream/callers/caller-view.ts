import type { BackendEntry } from '../../shared/backend-entry.ts'
import type { ListPages } from '../catalogue/list-pages.ts'
import type { TenantView } from '../catalogue/tenant-view.ts'

/** What a caller sees of its tenant's backends, until they change. */
export interface CallerView {
  readonly view: TenantView
  readonly pages: ListPages
  /** Backends that could not be asked. */
  readonly missing: readonly BackendEntry[]
  /** The catalogue's version at which this was true; -1 when it was old already. */
  readonly version: number
}
