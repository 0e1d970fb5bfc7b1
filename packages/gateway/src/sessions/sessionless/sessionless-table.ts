import { keptOr } from '@junctor/primitives'
import type { SessionlessCaller } from './sessionless-caller.ts'

/** A caller, and when it called last. */
export interface SessionlessRow {
  readonly caller: SessionlessCaller
  /** Epoch milliseconds. */
  used: number
}

/** By the key of the principal. */
type Principals = Map<string, SessionlessRow>

/**
 * Callers without a session: by tenant, by the text of the capabilities that are declared to backends, and by principal.
 * Three texts that exist already are the key of a row. One text made of all three would have to be built and hashed for
 * each request.
 */
export class SessionlessTable {
  readonly #tenants = new Map<string, Map<string, Principals>>()
  #size = 0

  get size(): number {
    return this.#size
  }

  get(tenant: string, capabilities: string, principal: string): SessionlessRow | undefined {
    return this.#tenants.get(tenant)?.get(capabilities)?.get(principal)
  }

  /** Adds a row that is not there yet. */
  add(tenant: string, capabilities: string, principal: string, row: SessionlessRow): void {
    const sets = keptOr(this.#tenants, tenant, () => new Map())
    keptOr(sets, capabilities, () => new Map()).set(principal, row)
    this.#size += 1
  }

  *rows(): Generator<SessionlessRow> {
    for (const sets of this.#tenants.values()) for (const principals of sets.values()) yield* principals.values()
  }

  /** Removes the row that was added first of those with the first capabilities of the first tenant. */
  removeFirst(): void {
    for (const [tenant, sets] of this.#tenants) {
      for (const [capabilities, principals] of sets) {
        for (const principal of principals.keys()) return this.#remove(tenant, capabilities, principal)
      }
    }
  }

  /** Removes the rows that were not used since a time, in epoch milliseconds. */
  removeUnused(since: number): void {
    for (const [tenant, sets] of this.#tenants) {
      for (const [capabilities, principals] of sets) {
        for (const [principal, { used }] of principals) {
          if (used < since) this.#remove(tenant, capabilities, principal)
        }
      }
    }
  }

  #remove(tenant: string, capabilities: string, principal: string): void {
    const sets = this.#tenants.get(tenant)
    const principals = sets?.get(capabilities)
    if (principals?.delete(principal) === true) this.#size -= 1
    if (principals?.size === 0) sets?.delete(capabilities)
    if (sets?.size === 0) this.#tenants.delete(tenant)
  }
}
