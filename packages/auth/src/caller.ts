import type { Identity, Tenant } from '@junctor/contracts'
import type { Principal } from '@junctor/exchange'

/** A caller, with its identity at every tenant that it may use. Made once, so that a request only looks up. */
export type Caller = ReadonlyMap<string, Identity>

/** The caller at these tenants. `expires` (epoch milliseconds) is for credentials that do. */
export function callerAt(principal: Principal, tenants: Iterable<Tenant>, expires?: number): Caller {
  const identities = new Map<string, Identity>()
  for (const tenant of tenants) {
    identities.set(tenant.name, { kind: 'identity', principal, tenant, ...(expires !== undefined && { expires }) })
  }
  return identities
}
