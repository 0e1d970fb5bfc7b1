import type { Tenant } from '@junctor/contracts'
import { claimAt, type Claims } from './claim-at.ts'
import { DEFAULT_TENANT } from './default-tenant.ts'

/** Whose tokens open a tenant: those whose claim is one of the values, or a list that has one of them. */
export interface Members {
  /** Its name; with dots, a name first and then a path. */
  readonly claim: string
  readonly values: readonly string[]
}

/** A tenant, and who may use it. */
export interface TenantAccess {
  readonly tenant: Tenant
  /** Absent: tokens made for this tenant alone; for `default`, every token made for this gateway. */
  readonly members?: Members | undefined
}

/** The tenants that a token opens, none included; undefined when it is not meant for this gateway at all. */
export type Membership = (claims: Claims) => readonly Tenant[] | undefined

/**
 * Who is a member where. A token whose audience is `<audience>/<tenant>` opens that tenant and no other, whatever else
 * it claims; one whose audience is the gateway itself opens the tenants whose members its bearer is among.
 */
export function createMembership(audience: readonly string[], tenants: readonly TenantAccess[]): Membership {
  const gateway = new Set(audience)
  const alone = new Map<string, Tenant>()
  for (const { tenant } of tenants) {
    for (const base of audience) {
      const name = `${base}/${tenant.name}`
      if (!gateway.has(name)) alone.set(name, tenant)
    }
  }
  return (claims) => {
    const named = typeof claims['aud'] === 'string' ? [claims['aud']] : claims['aud']
    if (!Array.isArray(named)) return undefined
    const own = new Set(named.flatMap((name) => alone.get(name) ?? []))
    if (own.size > 0) return [...own]
    if (!named.some((name) => gateway.has(name))) return undefined
    return tenants.filter((access) => isMember(claims, access)).map(({ tenant }) => tenant)
  }
}

function isMember(claims: Claims, { tenant, members }: TenantAccess): boolean {
  if (members === undefined) return tenant.name === DEFAULT_TENANT
  const claimed = claimAt(claims, members.claim)
  const list: readonly unknown[] = Array.isArray(claimed) ? claimed : [claimed]
  return members.values.some((value) => list.includes(value))
}
