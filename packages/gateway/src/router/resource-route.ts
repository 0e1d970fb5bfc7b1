import { originalUri } from '@junctor/protocol'
import type { BackendEntry } from '../backend-entry.ts'
import type { Route, TenantView } from '../catalogue/tenant-view.ts'
import { hasOrderedLiterals } from '../ordered-literals.ts'

/**
 * Whose resource a URI is: the one that lists it, the one whose prefix it carries, or the first without a prefix whose
 * template it matches. A backend may serve URIs that it never lists, so a lone backend without a prefix gets the rest.
 */
export function resourceRoute(view: TenantView, backends: readonly BackendEntry[], uri: string): Route | undefined {
  const listed = view.routes.resources.get(uri) ?? view.routes.resourceTemplates.get(uri)
  if (listed !== undefined) return listed
  const prefixed = backends.find((entry) => entry.prefix !== '' && originalUri(entry.prefix, uri) !== undefined)
  if (prefixed !== undefined) return { entry: prefixed, name: originalUri(prefixed.prefix, uri) ?? uri }
  for (const route of view.routes.resourceTemplates.values()) {
    if (route.entry.prefix === '' && matchesTemplate(route.name, uri)) return { entry: route.entry, name: uri }
  }
  const bare = backends.filter((entry) => entry.prefix === '' && entry.builtIn !== true)
  const [only] = bare
  return only !== undefined && bare.length === 1 ? { entry: only, name: uri } : undefined
}

/** Whether a URI can have come from an RFC 6570 template. A filter for routing, not a parser: the backend decides. */
function matchesTemplate(template: string, uri: string): boolean {
  return hasOrderedLiterals(template.split(/\{[^{}]*\}/), uri)
}
