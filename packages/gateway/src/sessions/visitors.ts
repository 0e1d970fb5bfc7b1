import type { CallContext, Identity } from '@junctor/exchange'
import type { LinkPool } from '../links/link-pool.ts'
import type { TenantEntry } from '../tenant-entry.ts'
import { HomeSession } from './home-session.ts'
import type { SessionOutlet } from './home-session.ts'

/** What serves requests without a session, where a tenant's profile allows them: for each tenant, one view and no state. */
export interface Visitors {
  /** What a request without a session carries. Such a client has declared nothing, so nothing is asked of it. */
  context(identity: Identity, revision: CallContext['revision'] | undefined): CallContext
  /** Stands in for the session; `undefined` when the tenant is not served here. */
  of(tenant: string): HomeSession | undefined
}

/** A client that sends no revision is taken to speak this one (Transports, Protocol Version Header). */
const assumedRevision = '2025-03-26'

/** Nobody listens outside of requests: there is no stream to say it on. */
const nowhere: SessionOutlet = {
  notify() {},
  ask: () => Promise.resolve({ error: { code: -32_601, message: 'There is no session to ask on' } }),
}

export function createVisitors(tenants: ReadonlyMap<string, TenantEntry>, pool: LinkPool): Visitors {
  const visitors = new Map<string, HomeSession>()

  return {
    context: ({ tenant, principal }, revision = assumedRevision) => visit({ tenant: tenant.name, principal }, revision),
    of(name) {
      const tenant = tenants.get(name)
      if (tenant === undefined) return undefined
      let visitor = visitors.get(name)
      if (visitor !== undefined && visitor.tenant !== tenant) visitor.adopt(tenant)
      if (visitor === undefined) {
        const principal = { issuer: 'junctor', subject: 'visitor', key: 'junctor visitor' }
        const context = visit({ tenant: name, principal }, assumedRevision)
        visitor = new HomeSession({ id: '', tenant, context, transport: 'http', openedAt: 0 }, nowhere, pool)
        visitors.set(name, visitor)
      }
      return visitor
    },
  }
}

function visit(identity: Pick<CallContext, 'tenant' | 'principal'>, revision: CallContext['revision']): CallContext {
  return { ...identity, session: undefined, revision, client: { info: {}, capabilities: {} }, trace: undefined }
}
