import type { Identity, Tenant } from '@junctor/contracts'
import type { Principal } from '@junctor/exchange'

/** The identities of a caller by the names of the tenants that it may use. Created once: a request only needs a lookup. */
export type CallerIdentities = ReadonlyMap<string, Identity>

/**
 * Creates the identities of a principal at these tenants.
 *
 * @param expires when the credentials expire, in epoch milliseconds; absent for credentials that do not expire
 */
export function identitiesAt(principal: Principal, tenants: Iterable<Tenant>, expires?: number): CallerIdentities {
  const identities = new Map<string, Identity>()
  for (const tenant of tenants) {
    identities.set(tenant.name, { kind: 'identity', principal, tenant, ...(expires !== undefined && { expires }) })
  }
  return identities
}
