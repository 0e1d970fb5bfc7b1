import type { ListKind } from '@junctor/contracts'
import type { BackendEntry } from '../../shared/backend-entry.ts'
import type { BareNames } from '../catalogue/bare-names.ts'
import type { ListPages } from '../catalogue/list-pages.ts'
import type { RouteMatch } from '../catalogue/route-match.ts'
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

/** Finds a tool or prompt by its public name, or a tool by the backend's own name, which views use (MCP Apps). */
export function findRoute({ view, bare }: CallerView, kind: 'tools' | 'prompts', name: string): RouteMatch {
  const route = view.routes[kind].get(name)
  if (route !== undefined) return { kind: 'one', route }
  return kind === 'tools' ? bare.tool(name) : { kind: 'none' }
}
