import type { Principal } from '@junctor/exchange'
import { shareOf } from '@junctor/connection'
import type { GatewayLimits } from '../shared/limits.ts'
import type { HomeSession } from './home-session.ts'

/** The sessions of a node, as far as they count for the limits. */
export interface RoomParts {
  readonly table: { readonly size: number; homes(): Iterable<Pick<HomeSession, 'context'>> }
  /** The number of tenants. */
  readonly tenants: number
  readonly limits: Pick<GatewayLimits, 'sessions' | 'sessionsOfPrincipal' | 'sessionsOfTenant'>
}

/** The issuers of callers without credentials: one principal, with an unknown number of clients. */
const nameless: ReadonlySet<string> = new Set(['local', 'anonymous'])

/**
 * Whether a principal of a tenant may open one more session: the node, the principal and the tenant are below their
 * limits.
 */
export function hasSessionRoom({ table, tenants, limits }: RoomParts, tenant: string, principal: Principal): boolean {
  const { sessions, sessionsOfPrincipal = shareOf(sessions), sessionsOfTenant = shareOf(sessions) } = limits
  if (table.size >= sessions) return false
  // With this few sessions, no limit can be reached: no count is needed.
  if (table.size < Math.min(sessionsOfPrincipal, sessionsOfTenant)) return true
  let ofTenant = 0
  let ofPrincipal = 0
  for (const { context } of table.homes()) {
    if (context.tenant === tenant) ofTenant += 1
    if (context.principal.key === principal.key) ofPrincipal += 1
  }
  const isOver = !nameless.has(principal.issuer) && ofPrincipal >= sessionsOfPrincipal
  return !isOver && (tenants < 2 || ofTenant < sessionsOfTenant)
}
