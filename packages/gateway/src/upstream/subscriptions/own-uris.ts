import type { JsonObject } from '@junctor/jsonrpc'
import { keptOr } from '@junctor/primitives'
import type { Caller } from '../callers/caller.ts'
import type { Route } from '../catalogue/tenant-view.ts'
import { isPartOf } from './slot-subscriptions.ts'

/**
 * Which resources callers have subscribed to by the backends' own URIs, which views and skills contain: their updates have the
 * URI of the subscription. Known at this node only: after a hand-over, updates have the public URI.
 */
export class OwnUris {
  /** By caller, then by backend. */
  readonly #known = new WeakMap<Caller, Map<string, Set<string>>>()

  /** Notes by which URI a caller subscribes to a resource. The last one counts. */
  note(caller: Caller, route: Route, params: unknown): void {
    const isOwn = route.shown !== route.name && (params as JsonObject | undefined)?.['uri'] === route.name
    if (isOwn) this.#of(caller, route).add(route.name)
    else this.forget(caller, route)
  }

  /** Called when the caller is not subscribed to the resource. */
  forget(caller: Caller, route: Route): void {
    this.#known.get(caller)?.get(route.entry.backend.name)?.delete(route.name)
  }

  /** Whether the caller has subscribed by the backend's own URI to this resource, or to one that it is a part of. */
  has(caller: Caller, backend: string, uri: string): boolean {
    const own = this.#known.get(caller)?.get(backend)
    return own !== undefined && (own.has(uri) || [...own].some((whole) => isPartOf(uri, whole)))
  }

  #of(caller: Caller, { entry }: Route): Set<string> {
    const backends = keptOr(this.#known, caller, () => new Map<string, Set<string>>())
    return keptOr(backends, entry.backend.name, () => new Set())
  }
}
