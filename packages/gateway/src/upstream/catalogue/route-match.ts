import type { Route } from './tenant-view.ts'

/** What a name or URI of a request stands for in a tenant. */
export type RouteMatch =
  | { readonly kind: 'one'; readonly route: Route }
  /** Several backends have it. `candidates`: the public names, sorted. */
  | { readonly kind: 'several'; readonly candidates: readonly string[] }
  | { readonly kind: 'none' }

/** The match of a name that has these routes. */
export function matchOf(routes: readonly Route[]): RouteMatch {
  const [route] = routes
  if (route === undefined) return { kind: 'none' }
  return routes.length === 1
    ? { kind: 'one', route }
    : { kind: 'several', candidates: routes.map(({ shown }) => shown).toSorted() }
}
