import type { CallContext } from '@junctor/exchange'
import type { Identity } from '@junctor/contracts'
import { latestHandshake } from '@junctor/protocol'
import type { Clock } from '../shared/clock.ts'
import type { GatewayLimits } from '../shared/limits.ts'
import type { TenantEntry } from '../shared/tenant-entry.ts'
import type { SlotSource } from '../upstream/callers/caller-links.ts'
import { SessionlessCaller } from './sessionless-caller.ts'

/**
 * Who calls without a session: clients of JSON-RPC 3.0 over HTTP, and those of tenants whose profile does without. There is
 * one caller for each principal at each tenant, so that nobody gets a link that another has used; there is no other state.
 */
export interface SessionlessCallers {
  /** What a request without a session carries. Such a client has declared nothing, so nothing is asked of it. */
  context(identity: Identity, revision: CallContext['revision']): CallContext
  /** Who calls; `undefined` when the tenant is not served here. */
  of(context: CallContext): SessionlessCaller | undefined
  /** Forgets those that have not called for long. Their links are closed when these are idle. */
  sweep(): void
  readonly size: number
}

interface Row {
  readonly caller: SessionlessCaller
  /** Epoch milliseconds. */
  used: number
}

export function createSessionlessCallers(
  tenants: ReadonlyMap<string, TenantEntry>,
  upstream: SlotSource,
  { sessions, sessionIdleMs }: Pick<GatewayLimits, 'sessions' | 'sessionIdleMs'>,
  { now }: Pick<Clock, 'now'>,
): SessionlessCallers {
  /** By tenant, then by the key of the principal. */
  const callers = new Map<string, Map<string, Row>>()
  let size = 0

  /** The one that was made first goes: all it had is found again, should it come back. */
  const makeRoom = (): void => {
    for (const [tenant, principals] of callers) {
      const [oldest] = principals.keys()
      if (oldest !== undefined) return remove(tenant, principals, oldest)
    }
  }

  const remove = (tenant: string, principals: Map<string, Row>, key: string): void => {
    if (principals.delete(key)) size -= 1
    if (principals.size === 0) callers.delete(tenant)
  }

  const add = (tenant: TenantEntry, principal: CallContext['principal']): Row => {
    if (size >= sessions) makeRoom()
    const { name } = tenant.tenant
    const context = contextOf({ tenant: name, principal }, latestHandshake)
    const caller = new SessionlessCaller(tenant, context, upstream)
    const row = { caller, used: now() }
    let principals = callers.get(name)
    if (principals === undefined) callers.set(name, (principals = new Map()))
    principals.set(principal.key, row)
    size += 1
    return row
  }

  return {
    context: ({ tenant, principal }, revision) => contextOf({ tenant: tenant.name, principal }, revision),
    of({ tenant: name, principal }) {
      const tenant = tenants.get(name)
      if (tenant === undefined) return undefined
      const row = callers.get(name)?.get(principal.key) ?? add(tenant, principal)
      const { caller } = row
      row.used = now()
      if (caller.tenant !== tenant) caller.adopt(tenant)
      return caller
    },
    sweep() {
      const oldest = now() - sessionIdleMs
      for (const [tenant, principals] of callers) {
        for (const [key, { used }] of principals) if (used < oldest) remove(tenant, principals, key)
      }
    },
    get size() {
      return size
    },
  }
}

function contextOf(
  identity: Pick<CallContext, 'tenant' | 'principal'>,
  revision: CallContext['revision'],
): CallContext {
  return { ...identity, session: undefined, revision, client: { info: {}, capabilities: {} }, trace: undefined }
}
