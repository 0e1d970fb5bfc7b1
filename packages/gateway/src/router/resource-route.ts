import { originalUri } from '@junctor/protocol'
import type { BackendEntry } from '../shared/backend-entry.ts'
import type { Route, TenantView } from '../upstream/catalogue/tenant-view.ts'
import { prefixIn } from '../shared/prefix-in.ts'
import type { TenantEntry } from '../shared/tenant-entry.ts'
import { hasOrderedLiterals } from '../shared/ordered-literals.ts'

/**
 * The backend that owns a URI: the backend that lists it, else the backend whose prefix it has, else the first backend
 * without a prefix whose template it matches. A backend may serve URIs that it never lists, so a single backend without
 * a prefix gets all other URIs.
 */
export function resourceRoute(
  view: TenantView,
  tenant: Pick<TenantEntry, 'tenant' | 'backends'>,
  uri: string,
): Route | undefined {
  const listed = view.routes.resources.get(uri) ?? view.routes.resourceTemplates.get(uri)
  if (listed !== undefined) return listed
  const bare: BackendEntry[] = []
  for (const entry of tenant.backends) {
    const prefix = prefixIn(tenant, entry)
    const name = prefix === '' ? undefined : originalUri(prefix, uri)
    if (name !== undefined) return { entry, name, shown: uri }
    if (prefix === '' && entry.builtIn !== true) bare.push(entry)
  }
  for (const route of view.routes.resourceTemplates.values()) {
    if (prefixIn(tenant, route.entry) === '' && matchesTemplate(route.name, uri))
      return { entry: route.entry, name: uri, shown: uri }
  }
  const [only] = bare
  return only !== undefined && bare.length === 1 ? { entry: only, name: uri, shown: uri } : undefined
}

/** Whether a URI can match an RFC 6570 template. This only selects a backend; the backend validates the URI. */
function matchesTemplate(template: string, uri: string): boolean {
  return hasOrderedLiterals(template.split(/\{[^{}]*\}/), uri)
}
