import type { CallContext } from '@junctor/exchange'
import type { Identity } from '@junctor/contracts'
import { latestHandshake } from '@junctor/protocol'
import type { Clock } from '../shared/clock.ts'
import type { GatewayLimits } from '../shared/limits.ts'
import type { Upstream } from '../upstream/upstream.ts'
import type { TenantEntry } from '../shared/tenant-entry.ts'
import { HomeSession } from './home-session.ts'
import type { SessionOutlet } from './home-session.ts'

/**
 * What serves requests without a session: JSON-RPC 3.0 over HTTP, and tenants whose profile does without. One stands in
 * for each principal at each tenant, so that nobody gets a link that another has used; there is no other state.
 */
export interface Visitors {
  /** What a request without a session carries. Such a client has declared nothing, so nothing is asked of it. */
  context(identity: Identity, revision: CallContext['revision']): CallContext
  /** Stands in for the session; `undefined` when the tenant is not served here. */
  of(context: CallContext): HomeSession | undefined
  /** Forgets those that have not come for long. Their links are closed when these are idle. */
  sweep(): void
  readonly size: number
}

/** Nobody listens outside of requests: there is no stream to say it on. */
const nowhere: SessionOutlet = {
  notify() {},
  ask: () => Promise.resolve({ error: { code: -32_601, message: 'There is no session to ask on' } }),
}

interface Visitor {
  readonly session: HomeSession
  /** Epoch milliseconds. */
  used: number
}

export function createVisitors(
  tenants: ReadonlyMap<string, TenantEntry>,
  upstream: Pick<Upstream, 'slot'>,
  { sessions, sessionIdleMs }: Pick<GatewayLimits, 'sessions' | 'sessionIdleMs'>,
  { now }: Pick<Clock, 'now'>,
): Visitors {
  /** By tenant, then by the key of the principal. */
  const visitors = new Map<string, Map<string, Visitor>>()
  let size = 0

  /** The one that was made first goes: all it had is found again, should it come back. */
  const makeRoom = (): void => {
    for (const [tenant, principals] of visitors) {
      const [oldest] = principals.keys()
      if (oldest !== undefined) return remove(tenant, principals, oldest)
    }
  }

  const remove = (tenant: string, principals: Map<string, Visitor>, key: string): void => {
    if (principals.delete(key)) size -= 1
    if (principals.size === 0) visitors.delete(tenant)
  }

  const add = (tenant: TenantEntry, principal: CallContext['principal']): Visitor => {
    if (size >= sessions) makeRoom()
    const { name } = tenant.tenant
    const context = visit({ tenant: name, principal }, latestHandshake)
    const session = new HomeSession({ id: '', tenant, context, transport: 'http', openedAt: now() }, nowhere, upstream)
    const visitor = { session, used: now() }
    let principals = visitors.get(name)
    if (principals === undefined) visitors.set(name, (principals = new Map()))
    principals.set(principal.key, visitor)
    size += 1
    return visitor
  }

  return {
    context: ({ tenant, principal }, revision) => visit({ tenant: tenant.name, principal }, revision),
    of({ tenant: name, principal }) {
      const tenant = tenants.get(name)
      if (tenant === undefined) return undefined
      const visitor = visitors.get(name)?.get(principal.key) ?? add(tenant, principal)
      const { session } = visitor
      visitor.used = now()
      if (session.tenant !== tenant) session.adopt(tenant)
      return session
    },
    sweep() {
      const oldest = now() - sessionIdleMs
      for (const [tenant, principals] of visitors) {
        for (const [key, { used }] of principals) if (used < oldest) remove(tenant, principals, key)
      }
    },
    get size() {
      return size
    },
  }
}

function visit(identity: Pick<CallContext, 'tenant' | 'principal'>, revision: CallContext['revision']): CallContext {
  return { ...identity, session: undefined, revision, client: { info: {}, capabilities: {} }, trace: undefined }
}
