import type { Principal } from '@junctor/exchange'
import { shareOf } from '@junctor/connection'
import { tenantOfName } from '@junctor/protocol'
import { isUnauthenticated } from '../../shared/is-unauthenticated.ts'
import type { GatewayLimits } from '../../shared/limits.ts'
import type { HomeSession } from './home-session.ts'

/** The sessions of a node, as far as they count for the limits. */
export interface RoomParts {
  readonly table: { readonly size: number; homes(): Iterable<Pick<HomeSession, 'context'>> }
  /** Whether there is more than one tenant. */
  readonly hasTenants: boolean
  readonly limits: Pick<GatewayLimits, 'sessions' | 'sessionsOfPrincipal' | 'sessionsOfTenant'>
}

/**
 * Whether a principal of a tenant may open one more session: the node, the principal and the tenant are below their
 * limits.
 */
export function hasSessionRoom(
  { table, hasTenants, limits }: RoomParts,
  tenant: string,
  principal: Principal,
): boolean {
  const { sessions, sessionsOfPrincipal = shareOf(sessions), sessionsOfTenant = shareOf(sessions) } = limits
  if (table.size >= sessions) return false
  // With this few sessions, no limit can be reached: no count is needed.
  if (table.size < Math.min(sessionsOfPrincipal, sessionsOfTenant)) return true
  const named = tenantOfName(tenant)
  let ofTenant = 0
  let ofPrincipal = 0
  for (const { context } of table.homes()) {
    if (tenantOfName(context.tenant) === named) ofTenant += 1
    if (context.principal.key === principal.key) ofPrincipal += 1
  }
  const isOver = !isUnauthenticated(principal) && ofPrincipal >= sessionsOfPrincipal
  return !isOver && (!hasTenants || ofTenant < sessionsOfTenant)
}
