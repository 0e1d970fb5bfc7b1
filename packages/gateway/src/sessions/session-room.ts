import type { Principal } from '@junctor/exchange'
import { shareOf } from '@junctor/connection'
import type { GatewayLimits } from '../shared/limits.ts'
import type { HomeSession } from './home-session.ts'

/** The sessions of a node, as far as it matters for one more. */
export interface RoomParts {
  readonly table: { readonly size: number; homes(): Iterable<Pick<HomeSession, 'context'>> }
  /** How many tenants there are. */
  readonly tenants: number
  readonly limits: Pick<GatewayLimits, 'sessions' | 'sessionsOfPrincipal' | 'sessionsOfTenant'>
}

/** Callers without credentials: one principal, and nobody knows how many clients. */
const nameless: ReadonlySet<string> = new Set(['local', 'anonymous'])

/** Whether a principal of a tenant may open one more session: the node has room, and neither has its share. */
export function hasSessionRoom({ table, tenants, limits }: RoomParts, tenant: string, principal: Principal): boolean {
  const { sessions, sessionsOfPrincipal = shareOf(sessions), sessionsOfTenant = shareOf(sessions) } = limits
  if (table.size >= sessions) return false
  // Nobody can have its share yet: nothing needs to be counted.
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
