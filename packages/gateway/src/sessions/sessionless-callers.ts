import type { CallContext } from '@junctor/exchange'
import type { Identity } from '@junctor/contracts'
import type { JsonObject } from '@junctor/jsonrpc'
import { latestHandshake, relayedCapabilities } from '@junctor/protocol'
import type { Clock } from '../shared/clock.ts'
import type { GatewayLimits } from '../shared/limits.ts'
import type { TenantEntry } from '../shared/tenant-entry.ts'
import type { SlotSource } from '../upstream/callers/caller-links.ts'
import { canonical } from '../upstream/links/scope.ts'
import { SessionlessCaller } from './sessionless-caller.ts'

/**
 * The callers without a session: clients of JSON-RPC 3.0 over HTTP, and clients of tenants whose profile uses no
 * sessions, and clients of 2026-07-28. Each principal of each tenant has its own caller for each set of capabilities, so
 * that no principal gets a link that another has used. Callers have no other state.
 */
export interface SessionlessCallers {
  /**
   * The context of a request without a session, whose client has declared no capabilities. The gateway asks it nothing.
   */
  context(identity: Identity, revision: CallContext['revision']): CallContext
  /** The caller of a request. `undefined`: this node does not serve its tenant. */
  of(context: CallContext): SessionlessCaller | undefined
  /** Forgets callers that were idle for too long. Their links close when the links are idle. */
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
  /** By tenant, then by principal and capabilities. */
  const callers = new Map<string, Map<string, Row>>()
  let size = 0

  /** Removes the oldest caller. If its client calls again, the caller is created again. */
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

  const add = (tenant: TenantEntry, { principal, client }: Known, key: string): Row => {
    if (size >= sessions) makeRoom()
    const { name } = tenant.tenant
    const capabilities = relayedCapabilities(client.capabilities, name)
    const context = contextOf({ tenant: name, principal }, latestHandshake, capabilities)
    const caller = new SessionlessCaller(tenant, context, upstream)
    const row = { caller, used: now() }
    let principals = callers.get(name)
    if (principals === undefined) callers.set(name, (principals = new Map()))
    principals.set(key, row)
    size += 1
    return row
  }

  return {
    context: ({ tenant, principal }, revision) => contextOf({ tenant: tenant.name, principal }, revision),
    of(context) {
      const tenant = tenants.get(context.tenant)
      if (tenant === undefined) return undefined
      const key = keyOf(context)
      const row = callers.get(context.tenant)?.get(key) ?? add(tenant, context, key)
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

/** What selects a caller. */
type Known = Pick<CallContext, 'principal' | 'tenant' | 'client'>

/** The JSON text has no line break, so no key stands for two callers. Only few sets of capabilities differ here: those that are declared to backends. */
function keyOf({ principal, tenant, client: { capabilities } }: Known): string {
  const isEmpty = capabilities === noCapabilities || Object.keys(capabilities).length === 0
  const relayed = isEmpty ? '{}' : canonical(relayedCapabilities(capabilities, tenant))
  return `${relayed}\n${principal.key}`
}

const noCapabilities: JsonObject = {}

function contextOf(
  identity: Pick<CallContext, 'tenant' | 'principal'>,
  revision: CallContext['revision'],
  capabilities: JsonObject = noCapabilities,
): CallContext {
  return { ...identity, session: undefined, revision, client: { info: {}, capabilities }, trace: undefined }
}
