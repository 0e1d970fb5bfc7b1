import type { Outcome } from '@junctor/exchange'
import { originalUri } from '@junctor/protocol'
import type { BackendEntry } from '../shared/backend-entry.ts'
import type { CallerView } from '../upstream/callers/caller-view.ts'
import type { Call } from '../upstream/calls/call.ts'
import { failed } from '../upstream/calls/failed.ts'
import { permitsUri } from '../shared/name-policy.ts'
import type { BareNames } from '../upstream/catalogue/bare-names.ts'
import type { RouteMatch } from '../upstream/catalogue/route-match.ts'
import type { Route } from '../upstream/catalogue/tenant-view.ts'
import { prefixIn } from '../shared/prefix-in.ts'
import type { TenantEntry } from '../shared/tenant-entry.ts'
import { hasOrderedLiterals } from '../shared/ordered-literals.ts'

/**
 * The backend that owns a URI: the backend that lists it, else the backend whose prefix it has, else the first backend
 * without a prefix whose template it matches. A URI without a prefix may also be one that a backend with a prefix uses
 * for itself, because views and skills contain such URIs. A backend may serve URIs that it never lists, so a single
 * backend without a prefix gets all other URIs.
 */
export function resourceRoute(
  callerView: Pick<CallerView, 'view' | 'bare'>,
  tenant: Pick<TenantEntry, 'tenant' | 'backends' | 'single' | 'resources'>,
  uri: string,
): RouteMatch {
  return permitted(tenant, ownerOfUri(callerView, tenant, uri))
}

/** A resource that the tenant may not use is unknown, listed or not. */
export function permitted({ resources }: Pick<TenantEntry, 'resources'>, match: RouteMatch): RouteMatch {
  if (match.kind !== 'one') return match
  const { entry, name } = match.route
  return permitsUri(resources, entry.backend.name, name) ? match : { kind: 'none' }
}

function ownerOfUri(
  { view, bare }: Pick<CallerView, 'view' | 'bare'>,
  tenant: Pick<TenantEntry, 'tenant' | 'backends' | 'single'>,
  uri: string,
): RouteMatch {
  const listed = view.routes.resources.get(uri) ?? view.routes.resourceTemplates.get(uri)
  if (listed !== undefined) return { kind: 'one', route: listed }
  const unprefixed: BackendEntry[] = []
  for (const entry of tenant.backends) {
    const prefix = prefixIn(tenant, entry)
    const name = prefix === '' ? undefined : originalUri(prefix, uri)
    if (name !== undefined) return { kind: 'one', route: underPrefix(bare, entry, name, uri) }
    if (prefix === '' && entry.builtIn !== true) unprefixed.push(entry)
  }
  for (const route of view.routes.resourceTemplates.values()) {
    if (prefixIn(tenant, route.entry) === '' && matchesTemplate(route.name, uri)) {
      return { kind: 'one', route: { entry: route.entry, name: uri, shown: uri } }
    }
  }
  const own = bare.resource(uri)
  if (own.kind !== 'none') return own
  const [only] = unprefixed
  return only !== undefined && unprefixed.length === 1
    ? { kind: 'one', route: { entry: only, name: uri, shown: uri } }
    : { kind: 'none' }
}

/** A backend's own URI may begin like one with its prefix: `ui://clock/view` of the backend `clock`. */
function underPrefix(bare: BareNames, entry: BackendEntry, name: string, uri: string): Route {
  const own = bare.resourceOf(entry, uri)
  return own === undefined || bare.resourceOf(entry, name) !== undefined ? { entry, name, shown: uri } : own
}

/** The answer to a name or URI of several backends: a guess could reach the wrong one. */
export function ambiguous(call: Call, name: string, candidates: readonly string[]): Outcome {
  const message = `"${name}" is of several backends: use one of ${candidates.join(', ')}`
  return failed(call, 'invalid_params', { message, data: { candidates } })
}

/** Whether a URI can match an RFC 6570 template. This only selects a backend; the backend validates the URI. */
function matchesTemplate(template: string, uri: string): boolean {
  return hasOrderedLiterals(template.split(/\{[^{}]*\}/), uri)
}
