import type { Tenant } from '@junctor/contracts'
import { type Claims, isMember, type Members } from '@junctor/primitives'
import { defaultTenant, mountName } from '@junctor/protocol'

/** A tenant and its members. */
export interface TenantAccess {
  readonly tenant: Tenant
  /** Absent: the tenant is opened by tokens for this tenant only; `default` by every token for this gateway. */
  readonly members?: Members | undefined
  /** The backends with endpoints of their own. Who may use the tenant may use these. Default: none. */
  readonly backends?: readonly string[]
  /** Whether a backend of the tenant takes the tokens of callers: then their identities have them, sealed. Default: no. */
  readonly takesCallerTokens?: boolean
}

/**
 * Returns the tenants that a token opens, which may be none; undefined when the token is not intended for this gateway.
 */
export type Membership = (claims: Claims) => readonly Tenant[] | undefined

/**
 * Creates the function that decides which tenants a token opens. A token whose audience is `<audience>/<tenant>` opens
 * only that tenant, regardless of its other claims; one whose audience is that of the endpoint of one backend
 * (`<audience>/<tenant>/-/<backend>`) opens only this endpoint. A token whose audience is the gateway opens the tenants whose
 * `members` rule it matches.
 *
 * @param opens `to members`: the issuer gives everyone tokens for every endpoint, so the audience opens nothing by itself, and
 *   only says for which of their tenants a token is
 */
export function createMembership(
  audience: readonly string[],
  tenants: readonly TenantAccess[],
  opens: 'by audience' | 'to members' = 'by audience',
): Membership {
  const gateway = new Set(audience)
  const alone = new Map<string, { readonly tenant: Tenant; readonly access: TenantAccess }>()
  for (const { name, ...endpoint } of tenants.flatMap(endpointsOf)) {
    for (const base of audience) {
      const own = `${base}/${name}`
      if (!gateway.has(own)) alone.set(own, endpoint)
    }
  }
  return (claims) => {
    const named = typeof claims['aud'] === 'string' ? [claims['aud']] : claims['aud']
    if (!Array.isArray(named)) return undefined
    const own = named.flatMap((name) => alone.get(name) ?? [])
    if (own.length > 0) {
      const mine = opens === 'by audience' ? own : own.filter(({ access }) => isOpenTo(claims, access))
      return [...new Set(mine.map(({ tenant }) => tenant))]
    }
    if (!named.some((name) => gateway.has(name))) return undefined
    return tenants.filter((access) => isOpenTo(claims, access)).map(({ tenant }) => tenant)
  }
}

/** The names of a tenant's endpoints, each with what it opens. */
function endpointsOf(
  access: TenantAccess,
): readonly { readonly name: string; readonly tenant: Tenant; readonly access: TenantAccess }[] {
  const { tenant, backends = [] } = access
  const mounts = backends.map((backend) => ({ ...tenant, name: mountName(tenant.name, backend) }))
  const shorter = tenant.name === defaultTenant ? backends : []
  return [
    { name: tenant.name, tenant, access },
    ...mounts.map((mount) => ({ name: mount.name, tenant: mount, access })),
    ...shorter.map((backend, index) => ({
      name: mountName('', backend).slice(1),
      tenant: mounts[index] ?? tenant,
      access,
    })),
  ]
}

function isOpenTo(claims: Claims, { tenant, members }: TenantAccess): boolean {
  return members === undefined ? tenant.name === defaultTenant : isMember(claims, members)
}
