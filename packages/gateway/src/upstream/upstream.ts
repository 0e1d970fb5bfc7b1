import type { Caught, Fabric, Log, Scope, Tell } from '@junctor/contracts'
import type { BackendEntry } from '../shared/backend-entry.ts'
import type { Clock } from '../shared/clock.ts'
import type { GatewayLimits } from '../shared/limits.ts'
import type { TenantEntry } from '../shared/tenant-entry.ts'
import type { Caller } from './callers/caller.ts'
import { CallerViews } from './callers/caller-views.ts'
import type { HomeCallers } from './callers/home-callers.ts'
import { createListChanges } from './callers/list-changes.ts'
import { BackendCalls } from './calls/backend-calls.ts'
import type { LogLevels } from './calls/log-levels.ts'
import { createLogLevels } from './calls/log-levels.ts'
import { BackendCatalogue } from './catalogue/backend-catalogue.ts'
import { BackendStatuses } from './catalogue/backend-status.ts'
import { CatalogueLoader } from './catalogue/catalogue-loader.ts'
import { MergedViews } from './catalogue/merged-views.ts'
import { MethodOwners } from './catalogue/method-owners.ts'
import { createLinkListener } from './link-listener.ts'
import type { LinkPool } from './links/link-pool.ts'
import { createLinkPool } from './links/link-pool.ts'
import type { LinkSlot } from './links/link-slot.ts'
import { followHosts } from './remote/follow-hosts.ts'
import { LinkSubscriptions } from './subscriptions/link-subscriptions.ts'
import { Subscriptions } from './subscriptions/subscriptions.ts'

/** The backends of a node, as callers use them. */
export interface Upstream {
  /** What each caller sees. */
  readonly views: CallerViews
  /** Whose the methods outside MCP are. */
  readonly owners: MethodOwners
  readonly calls: BackendCalls
  readonly subscriptions: Subscriptions
  readonly levels: LogLevels
  /** How backends do, whether anybody uses them or not. */
  readonly status: BackendStatuses
  /** The slot of the link of a scope. Making the slot opens nothing. */
  slot(entry: BackendEntry, scope: Scope): LinkSlot
  /** Closes the links that are a caller's own: its session has ended. Resolves when they are closed. */
  retire(caller: Caller): Promise<void>
  /** Nobody has the backend any more. Resolves when its links are closed; calls on them may end, within a bound. */
  remove(entry: BackendEntry): Promise<void>
  /** Follows which nodes host backends, until what it returns is called. */
  follow(): () => void
  /** Closes links that were idle for long. */
  sweep(): void
  /** Closes all links. */
  close(): Promise<void>
}

export interface UpstreamParts {
  readonly fabric: Fabric
  /** Those that are served now. */
  readonly tenants: ReadonlyMap<string, TenantEntry>
  /** Those who hear what backends tell and ask outside of calls. */
  readonly callers: HomeCallers
  readonly limits: GatewayLimits
  readonly clock: Clock
  readonly log: Log
  readonly tell: Tell
  readonly caught: Caught
}

export function createUpstream(parts: UpstreamParts): Upstream {
  const { tenants, callers, limits, clock, log, tell } = parts
  const random = Math.random
  const levels = createLogLevels(clock)
  const changes = createListChanges(callers, limits.listChangedMs, clock)
  const catalogue = new BackendCatalogue(clock.now)
  const links = new LinkSubscriptions(clock)
  const events = createLinkListener({ callers, changes, catalogue, subscriptions: links, levels, log, tell })
  const pool = createLinkPool({ events, clock, log, tell, random })
  const loader = new CatalogueLoader({
    catalogue,
    pool,
    log,
    clock,
    late: (entry, kinds) => changes.changed(entry, kinds),
  })
  const calls = new BackendCalls({ pool, levels, clock, tell, log, random })
  const merged = new MergedViews(limits.pageItems, log)
  const status = new BackendStatuses({ tenants, pool, catalogue, loader, waitMs: limits.startWaitMs })
  const scopes = (): ReadonlyMap<BackendEntry, Scope> => status.scopes()
  return {
    views: new CallerViews({ catalogue, loader, merged, limits }),
    owners: new MethodOwners(log),
    calls,
    subscriptions: new Subscriptions(calls, pool, links),
    levels,
    status,
    slot: (entry, scope) => pool.slot(entry, scope),
    retire: (caller) => retire(caller, catalogue, pool),
    remove(entry) {
      catalogue.forget(entry)
      return pool.remove(entry)
    },
    follow() {
      const stopped = new AbortController()
      const following = followHosts({ ...parts, pool, catalogue, loader, changes, scopes }, stopped.signal)
      following.catch((error: unknown) => log.error('nodes are not followed any more', { error }))
      return () => stopped.abort()
    },
    sweep: () => pool.sweep(),
    close: () => pool.close(),
  }
}

/** By backend, not by what the caller has used: the catalogue opens links of its own accord. */
async function retire(caller: Caller, catalogue: BackendCatalogue, pool: LinkPool): Promise<void> {
  const own = caller.tenant.backends.filter((entry) => caller.scope(entry).session === caller.id)
  for (const entry of own) catalogue.retired(entry, caller.scope(entry))
  await Promise.all(own.map((entry) => pool.retire(entry, caller.scope(entry))))
}
