import type { CallContext, TransportName } from '@junctor/exchange'
import type { Identity } from '@junctor/contracts'
import { canonicalText, type JsonObject } from '@junctor/jsonrpc'
import { eraOf, latestHandshake, relayedCapabilities } from '@junctor/protocol'
import type { Clock } from '../../shared/clock.ts'
import type { GatewayLimits } from '../../shared/limits.ts'
import { ofToken } from '../../shared/of-token.ts'
import type { TenantEntry } from '../../shared/tenant-entry.ts'
import type { SlotSource } from '../../upstream/callers/caller-links.ts'
import { SessionlessCaller } from './sessionless-caller.ts'
import { type SessionlessRow, SessionlessTable } from './sessionless-table.ts'

/**
 * The callers without a session: clients of JSON-RPC 3.0 over HTTP, and clients of tenants whose profile uses no
 * sessions, and clients of 2026-07-28. Each principal of each tenant has its own caller for each era and set of
 * capabilities, so that no principal gets a link that another has used. Callers have no other state.
 */
export interface SessionlessCallers {
  /**
   * The context of a request without a session, whose client has declared no capabilities. The gateway asks it nothing.
   */
  context(identity: Identity, revision: CallContext['revision'], transport: TransportName): CallContext
  /** The caller of a request. `undefined`: this node does not serve its tenant. */
  of(context: CallContext): SessionlessCaller | undefined
  all(): Iterable<SessionlessCaller>
  /** Forgets callers that were idle for too long. Their links close when the links are idle. */
  sweep(): void
  readonly size: number
}

/** Creates the table of callers without a session, empty. */
export function createSessionlessCallers(
  tenants: ReadonlyMap<string, TenantEntry>,
  upstream: SlotSource,
  { sessions, sessionIdleMs }: Pick<GatewayLimits, 'sessions' | 'sessionIdleMs'>,
  { now }: Pick<Clock, 'now'>,
): SessionlessCallers {
  const table = new SessionlessTable()

  const add = (tenant: TenantEntry, { principal, client, revision }: Known, declared: string): SessionlessRow => {
    // A client whose caller is removed gets another one when it calls again.
    if (table.size >= sessions) table.removeFirst()
    const { name } = tenant.tenant
    const capabilities = relayedCapabilities(client.capabilities)
    const newest = eraOf(revision) === 'modern' ? revision : latestHandshake
    const context = contextOf({ tenant: name, principal }, newest, capabilities)
    const row = { caller: new SessionlessCaller(tenant, context, upstream), used: now() }
    table.add(name, declared, principal.key, row)
    return row
  }

  return {
    context: ({ tenant, principal, ...credentials }, revision, transport) => ({
      ...contextOf({ tenant: tenant.name, principal }, revision),
      ...ofToken(credentials),
      transport,
    }),
    of(context) {
      const tenant = tenants.get(context.tenant)
      if (tenant === undefined) return undefined
      const declared = declaredText(context)
      const row = table.get(context.tenant, declared, context.principal.key) ?? add(tenant, context, declared)
      const { caller } = row
      row.used = now()
      if (caller.tenant !== tenant) caller.applyConfig(tenant)
      return caller
    },
    *all() {
      for (const { caller } of table.rows()) yield caller
    },
    sweep: () => table.removeUnused(now() - sessionIdleMs),
    get size() {
      return table.size
    },
  }
}

/** What selects a caller. */
type Known = Pick<CallContext, 'principal' | 'tenant' | 'client' | 'revision'>

/**
 * What a client declares, in one text. Few sets of capabilities differ here: only those that are declared to backends. Most
 * clients declare none.
 */
function declaredText({ client: { capabilities }, revision }: Pick<Known, 'client' | 'revision'>): string {
  const era = eraOf(revision)
  const isEmpty = capabilities === noCapabilities || Object.keys(capabilities).length === 0
  return isEmpty ? era : `${era} ${canonicalText(relayedCapabilities(capabilities))}`
}

const noCapabilities: JsonObject = {}

function contextOf(
  identity: Pick<CallContext, 'tenant' | 'principal'>,
  revision: CallContext['revision'],
  capabilities: JsonObject = noCapabilities,
): CallContext {
  return { ...identity, session: undefined, revision, client: { info: {}, capabilities }, trace: undefined }
}
