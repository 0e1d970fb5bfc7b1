import { keptOr } from '@junctor/primitives'
import type { Route, TenantView } from './tenant-view.ts'

/** The names by which a tool calls other tools, computed once for each view. */
export class ToolNames {
  readonly #byView = new WeakMap<TenantView, ReadonlyMap<string, Route>>()

  /**
   * The tool of a name: `backend:tool` with the backend's name in the configuration and the tool's own name, else the
   * name that the caller sees, else the name of a backend of which the caller sees exactly one tool.
   */
  find(view: TenantView, name: string): Route | undefined {
    return keptOr(this.#byView, view, () => namesOf(view)).get(name)
  }
}

function namesOf({ routes }: TenantView): ReadonlyMap<string, Route> {
  const names = new Map<string, Route>()
  const single = new Map<string, Route | undefined>()
  for (const [shown, route] of routes.tools) {
    const { name } = route.entry.backend
    // Names of backends have no colon, so a name with a colon is always qualified.
    if (!shown.includes(':')) names.set(shown, route)
    names.set(qualifiedNameOf(route), route)
    single.set(name, single.has(name) ? undefined : route)
  }
  for (const [name, route] of single) if (route !== undefined && !names.has(name)) names.set(name, route)
  return names
}

/** The name of a tool with that of its backend: `backend:tool`. */
export function qualifiedNameOf({ entry, name }: Pick<Route, 'entry' | 'name'>): string {
  return `${entry.backend.name}:${name}`
}
