import type { ListKind } from '@junctor/contracts'
import type { BackendEntry } from '../../shared/backend-entry.ts'
import type { BareNames } from '../catalogue/bare-names.ts'
import type { ListPages } from '../catalogue/list-pages.ts'
import type { TenantView } from '../catalogue/tenant-view.ts'

/** The lists of a backend that are not known. */
export interface MissingLists {
  readonly entry: BackendEntry
  readonly kinds: readonly ListKind[]
}

/** The backends of which a list is not known. */
export function missingOf({ missing }: Pick<CallerView, 'missing'>, kind: ListKind): readonly BackendEntry[] {
  return missing.filter(({ kinds }) => kinds.includes(kind)).map(({ entry }) => entry)
}

/** What a caller sees of its tenant's backends. Valid until they change. */
export interface CallerView {
  readonly view: TenantView
  readonly pages: ListPages
  readonly bare: BareNames
  readonly missing: readonly MissingLists[]
  /** The version of the catalogue that the view was made from; -1: the view was outdated already. */
  readonly version: number
  /** Epoch milliseconds from which a part of the view is outdated. */
  readonly expires: number
}
