import type { Scope } from '@junctor/contracts'
import type { BackendEntry } from '../shared/backend-entry.ts'
import type { Caller } from './callers/caller.ts'
import type { BackendCatalogue } from './catalogue/backend-catalogue.ts'
import type { LinkPool } from './links/link-pool.ts'
import type { Subscriptions } from './subscriptions/subscriptions.ts'

/** What callers have at backends. */
export interface CallerEndsParts {
  readonly catalogue: Pick<BackendCatalogue, 'retired'>
  readonly pool: Pick<LinkPool, 'retire' | 'retireWhenFree'>
  readonly subscriptions: Pick<Subscriptions, 'leave'>
}

/** Ends what callers have at backends. */
export class CallerEnds {
  readonly #parts: CallerEndsParts

  constructor(parts: CallerEndsParts) {
    this.#parts = parts
  }

  /** Closes the links that belong to a caller alone, because its session has ended. Resolves when they are closed. */
  async retire(caller: Caller): Promise<void> {
    const scopes = this.#ownScopes(caller, caller.tenant.backends)
    await Promise.all(scopes.map(([entry, scope]) => this.#parts.pool.retire(entry, scope)))
  }

  /**
   * Ends what a caller has at backends that its tenant is about to lose, and that other tenants have: its subscriptions, and
   * the links that belong to it alone. Resolves when these are closed; running calls may end within a time limit.
   */
  async leave(caller: Caller, entries: readonly BackendEntry[]): Promise<void> {
    this.#parts.subscriptions.leave(caller, entries)
    const scopes = this.#ownScopes(caller, entries)
    await Promise.all(scopes.map(([entry, scope]) => this.#parts.pool.retireWhenFree(entry, scope)))
  }

  /**
   * The scopes of a caller's own links, whose lists are forgotten. Goes by backend instead of by used slots, because the
   * catalogue also opens links for the caller.
   */
  #ownScopes(caller: Caller, entries: readonly BackendEntry[]): readonly (readonly [BackendEntry, Scope])[] {
    const own = entries
      .map((entry) => [entry, caller.scope(entry)] as const)
      .filter(([, { session }]) => session !== undefined && session === caller.id)
    for (const [entry, scope] of own) this.#parts.catalogue.retired(entry, scope)
    return own
  }
}
