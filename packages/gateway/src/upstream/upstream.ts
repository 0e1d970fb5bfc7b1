import type { ErrorReporter, Fabric, Log, Scope, Emit } from '@junctor/contracts'
import type { NotificationBody } from '@junctor/exchange'
import type { BackendEntry } from '../shared/backend-entry.ts'
import type { Clock } from '../shared/clock.ts'
import type { GatewayLimits } from '../shared/limits.ts'
import type { TenantEntry } from '../shared/tenant-entry.ts'
import { CallerEnds } from './caller-ends.ts'
import { CallerViews } from './callers/caller-views.ts'
import type { HomeCallers } from './callers/home-callers.ts'
import { createListChanges } from './callers/list-changes.ts'
import { BackendCalls } from './calls/backend-calls.ts'
import { CallGate } from './calls/call-gate.ts'
import { createLogLevels, type LogLevels } from './calls/log-levels.ts'
import { type Notifier, relayNotification } from './calls/relay-notification.ts'
import { pluginErrorReporter } from './calls/report-plugin-error.ts'
import { BackendCatalogue } from './catalogue/backend-catalogue.ts'
import { BackendStatuses } from './catalogue/backend-status.ts'
import { CatalogueLoader } from './catalogue/catalogue-loader.ts'
import { MergedViews } from './catalogue/merged-views.ts'
import { MethodOwners } from './catalogue/method-owners.ts'
import { ToolNames } from './catalogue/tool-names.ts'
import { createPoolListener } from './pool-listener.ts'
import { LinkPool } from './links/link-pool.ts'
import type { LinkSlot } from './links/link-slot.ts'
import { followHosts } from './remote/follow-hosts.ts'
import { LinkSubscriptions } from './subscriptions/link-subscriptions.ts'
import { OwnUris } from './subscriptions/own-uris.ts'
import { Subscriptions } from './subscriptions/subscriptions.ts'

/** The backends of a node, for callers. */
export interface Upstream {
  /** The view of each caller. */
  readonly views: CallerViews
  /** The backends of the methods outside MCP. */
  readonly owners: MethodOwners
  readonly calls: BackendCalls
  /** Counts how often backends have changed. */
  readonly catalogue: Pick<BackendCatalogue, 'changes' | 'hasOwnLists' | 'latest'>
  readonly subscriptions: Subscriptions
  readonly levels: LogLevels
  /** The status of backends, whether they are used or not. */
  readonly status: BackendStatuses
  /** Passes a client's notification outside MCP to the backend, at the endpoint of a single one. */
  relay(session: Notifier, notification: NotificationBody): Promise<void>
  /** The slot of a scope's link. Creating the slot opens no connection. */
  slot(entry: BackendEntry, scope: Scope): LinkSlot
  /** Closes the link of a scope permanently. Resolves when it is closed. */
  closeLink(entry: BackendEntry, scope: Scope): Promise<void>
  /** Ends what callers have at backends. */
  readonly ends: CallerEnds
  /**
   * Removes a backend that no tenant has any more. Resolves when its links are closed; running calls may end within a
   * time limit.
   */
  remove(entry: BackendEntry): Promise<void>
  /** Called when a tenant has a backend, which may have been removed. */
  restore(entry: BackendEntry): void
  /** Follows which nodes host backends. Returns a function that stops it. */
  follow(): () => void
  /** Closes links that were idle for too long. */
  sweep(): void
  /** Closes all links. */
  close(): Promise<void>
}

/** The tenants whose backends are used, the callers at this node, and the limits of both. */
export interface UpstreamParts {
  readonly fabric: Fabric
  /** The tenants that are served now. */
  readonly tenants: ReadonlyMap<string, TenantEntry>
  /** The callers that get the messages and questions of backends outside of calls. */
  readonly callers: HomeCallers
  readonly limits: GatewayLimits
  readonly clock: Clock
  readonly log: Log
  readonly emit: Emit
  readonly reportError: ErrorReporter
}

/**
 * Creates the pool of links, the catalogue, the calls and the views, each from those before it. No link is opened yet.
 */
export function createUpstream(parts: UpstreamParts): Upstream {
  const { tenants, callers, limits, clock, log, emit } = parts
  const levels = createLogLevels(clock)
  const changes = createListChanges(callers, limits.listChangedMs, clock)
  const catalogue = new BackendCatalogue(clock.now)
  const links = new LinkSubscriptions(clock)
  const ownUris = new OwnUris()
  const listener = createPoolListener({
    ...parts,
    changes,
    catalogue,
    subscriptions: links,
    ownUris,
    levels,
    changedLists: (slot, link) => loader.changedLists(slot, link),
  })
  const pool = new LinkPool({ listener, clock, log, emit, random: Math.random })
  const loader = new CatalogueLoader({
    catalogue,
    pool,
    log,
    clock,
    news: (entry, kinds, scope) => changes.changed(entry, kinds, scope),
  })
  const views = new CallerViews({ catalogue, loader, merged: new MergedViews(limits.pageItems, log), limits })
  const inner = { views, names: new ToolNames() }
  const crashed = pluginErrorReporter(log, emit)
  const gate = new CallGate(clock, limits.callsOfPrincipal)
  const calls = new BackendCalls({ pool, levels, gate, inner, clock, emit, log, random: Math.random })
  const status = new BackendStatuses({ tenants, pool, gate, catalogue, loader, waitMs: limits.startWaitMs })
  const scopes = (): ReadonlyMap<BackendEntry, Scope> => status.scopes()
  const subscriptions = new Subscriptions(calls, pool, links, ownUris)
  return {
    views,
    owners: new MethodOwners(log),
    calls,
    catalogue,
    subscriptions,
    ends: new CallerEnds({ catalogue, pool, subscriptions }),
    levels,
    status,
    relay: (session, notification) => relayNotification(pool, log, crashed, session, notification),
    slot: (entry, scope) => pool.slot(entry, scope),
    closeLink(entry, scope) {
      catalogue.retired(entry, scope)
      return pool.retire(entry, scope)
    },
    remove(entry) {
      catalogue.forget(entry)
      return pool.remove(entry)
    },
    restore: (entry) => pool.restore(entry),
    follow: () => followUntilStopped({ ...parts, pool, catalogue, loader, changes, scopes }, log),
    sweep: () => pool.sweep(),
    close: () => pool.close(),
  }
}

/** Follows the hosts of backends until the returned function is called. */
function followUntilStopped(followed: Parameters<typeof followHosts>[0], log: Log): () => void {
  const stopped = new AbortController()
  followHosts(followed, stopped.signal).catch((error: unknown) =>
    log.error('the nodes that host backends are no longer followed', { error }),
  )
  return () => stopped.abort()
}
