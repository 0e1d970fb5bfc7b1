import type { Identity, Tenant } from '@junctor/contracts'
import type { Principal } from '@junctor/exchange'

/** The identities of a caller by the names of the tenants that it may use. Created once: a request only needs a lookup. */
export type CallerIdentities = ReadonlyMap<string, Identity>

/** The facts about an identity in its credentials. */
export type Credentials = Pick<Identity, 'expires' | 'scopes'>

/** Creates the identities of a principal at these tenants. */
export function identitiesAt(
  principal: Principal,
  tenants: Iterable<Tenant>,
  credentials: Credentials = {},
): CallerIdentities {
  const identities = new Map<string, Identity>()
  for (const tenant of tenants) {
    identities.set(tenant.name, { kind: 'identity', principal, tenant, ...credentials })
  }
  return identities
}
