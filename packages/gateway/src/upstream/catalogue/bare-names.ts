import { uriFor } from '@junctor/protocol'
import { keptOr } from '@junctor/primitives'
import type { BackendEntry } from '../../shared/backend-entry.ts'
import { prefixIn } from '../../shared/prefix-in.ts'
import type { TenantEntry } from '../../shared/tenant-entry.ts'
import { isViewUri } from '../../shared/tool-views.ts'
import { matchOf, type RouteMatch } from './route-match.ts'
import type { Route, TenantView } from './tenant-view.ts'

/**
 * The tools and resources of a tenant under their backends' own names. Views (MCP Apps) and skills use these names,
 * because they do not know the gateway. Each table is made when it is first needed.
 */
export class BareNames {
  readonly #view: TenantView
  readonly #tenant: TenantEntry
  #tools: Table | undefined
  #uris: Table | undefined

  constructor(view: TenantView, tenant: TenantEntry) {
    this.#view = view
    this.#tenant = tenant
  }

  /** The tool that a view may call by this name. */
  tool(name: string): RouteMatch {
    return matchOf(this.#toolTable().get(name) ?? [])
  }

  /** The resource with this URI: one that a backend lists, or that a tool names as its view. */
  resource(uri: string): RouteMatch {
    return matchOf(this.#uriTable().get(uri) ?? [])
  }

  /** The same among the resources of one backend. */
  resourceOf(entry: BackendEntry, uri: string): Route | undefined {
    return this.#uriTable()
      .get(uri)
      ?.find((route) => route.entry === entry)
  }

  /** The tools that have one meaning under their own name, and no other tool under it, with these names. */
  callableTools(): readonly Route[] {
    const { tools } = this.#view.routes
    return [...this.#toolTable()].flatMap(([name, routes]) => (routes.length === 1 && !tools.has(name) ? routes : []))
  }

  #uriTable(): Table {
    return (this.#uris ??= uriTable(this.#view, this.#tenant))
  }

  #toolTable(): Table {
    this.#tools ??= this.#tenant.bareNames === 'refused' ? new Map() : toolTable(this.#view)
    return this.#tools
  }
}

type Table = ReadonlyMap<string, readonly Route[]>

/** The tools that views may call: those that declare it, and those of backends with views that do not exclude it. */
function toolTable({ routes }: TenantView): Table {
  const withViews = new Set<BackendEntry>()
  for (const { entry, traits } of routes.tools.values()) if ((traits?.views?.uris.length ?? 0) > 0) withViews.add(entry)
  for (const { entry, name } of routes.resources.values()) if (isViewUri(name)) withViews.add(entry)
  const table = new Map<string, Route[]>()
  for (const route of routes.tools.values()) {
    const { entry, name, shown, traits } = route
    if (shown !== name && (traits?.views?.calledByViews ?? withViews.has(entry))) add(table, name, route)
  }
  return table
}

function uriTable({ routes }: TenantView, tenant: TenantEntry): Table {
  const table = new Map<string, Route[]>()
  for (const route of routes.resources.values()) if (route.shown !== route.name) add(table, route.name, route)
  for (const { entry, traits } of routes.tools.values()) {
    const prefix = prefixIn(tenant, entry)
    for (const uri of traits?.views?.uris ?? []) {
      const isKnown = table.get(uri)?.some((route) => route.entry === entry) === true
      if (prefix !== '' && !isKnown) add(table, uri, { entry, name: uri, shown: uriFor(prefix, uri) })
    }
  }
  return table
}

function add(table: Map<string, Route[]>, name: string, route: Route): void {
  keptOr(table, name, () => []).push(route)
}
