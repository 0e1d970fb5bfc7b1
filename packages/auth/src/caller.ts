import type { Identity, Tenant } from '@junctor/contracts'
import type { Principal } from '@junctor/exchange'

/** A caller, with its identity at every tenant that it may use. Created once, so that a request only needs a lookup. */
export type Caller = ReadonlyMap<string, Identity>

/**
 * Creates the caller for these tenants.
 *
 * @param expires when the credentials expire, in epoch milliseconds; absent for credentials that do not expire
 */
export function callerAt(principal: Principal, tenants: Iterable<Tenant>, expires?: number): Caller {
  const identities = new Map<string, Identity>()
  for (const tenant of tenants) {
    identities.set(tenant.name, { kind: 'identity', principal, tenant, ...(expires !== undefined && { expires }) })
  }
  return identities
}
