import { isDeepStrictEqual } from 'node:util'
import type { Emit, Link, ListKind, Log } from '@junctor/contracts'
import { edit, type Payload, payloadOf } from '@junctor/jsonrpc'
import { methods, uriFor } from '@junctor/protocol'
import { keptOr } from '@junctor/primitives'
import type { BackendEntry } from '../shared/backend-entry.ts'
import type { BackendCatalogue } from './catalogue/backend-catalogue.ts'
import type { ListChanges } from './callers/list-changes.ts'
import { permitsUri } from '../shared/name-policy.ts'
import { listKinds } from './catalogue/snapshot.ts'
import type { Clock } from '../shared/clock.ts'
import type { GatewayLimits } from '../shared/limits.ts'
import { prefixIn } from '../shared/prefix-in.ts'
import type { HomeCallers } from './callers/home-callers.ts'
import type { LogLevels } from './calls/log-levels.ts'
import type { LinkSubscriptions } from './subscriptions/link-subscriptions.ts'
import type { OwnUris } from './subscriptions/own-uris.ts'
import { subscribersOf } from './subscriptions/slot-subscriptions.ts'
import { type DeliverUpdate, UpdateWindows } from './subscriptions/update-windows.ts'
import { createLinkClient, type LinkListener, updatedUri } from './links/link-client.ts'
import type { PoolListener } from './links/link-pool.ts'
import type { LinkSlot } from './links/link-slot.ts'

/** Everything that a message of a link can concern: callers, lists, subscriptions, log levels. */
export interface PoolListenerParts {
  readonly callers: HomeCallers
  readonly changes: ListChanges
  readonly catalogue: BackendCatalogue
  readonly subscriptions: LinkSubscriptions
  readonly ownUris: OwnUris
  readonly levels: LogLevels
  /** The lists of a link, which replaces another, that differ from those that are known. Never rejects. */
  readonly changedLists: (slot: LinkSlot, link: Link) => Promise<readonly ListKind[]>
  readonly limits: Pick<GatewayLimits, 'listChangedMs'>
  readonly clock: Clock
  readonly log: Log
  readonly emit: Emit
}

/** Delivers the messages of links to the catalogue and to the callers that they concern. */
export function createPoolListener(parts: PoolListenerParts): PoolListener {
  const { callers, changes, catalogue, subscriptions, levels, log, emit, clock, limits } = parts

  const updates = new UpdateWindows(deliverTo(callers, parts.ownUris), limits.listChangedMs, clock)

  const listener: LinkListener = {
    listChanged(slot, kind) {
      catalogue.changed(slot)
      changes.changed(slot.entry, [kind], slot.scope)
    },
    resourceUpdated(slot, params) {
      const uri = updatedUri(params)
      if (uri !== undefined) updates.updated(slot, uri, params)
    },
    sessionOf: ({ scope }) => (scope.session === undefined ? undefined : callers.peek(scope.session)),
  }

  /**
   * A link may list something else than is known when it replaces another, or its server is another version. Links of new
   * sessions to the same version are not asked: there may be thousands.
   */
  async function announceChanged(slot: LinkSlot, link: Link): Promise<void> {
    const isFirst = slot.openedAt === 0 && slot.scope.session !== undefined
    if (isFirst && isDeepStrictEqual(link.server.info, catalogue.server(slot.entry, slot.scope.era)?.info)) return
    const kinds = await parts.changedLists(slot, link)
    if (kinds.length === 0 || slot.retired) return
    catalogue.changed(slot)
    changes.changed(slot.entry, kinds, slot.scope)
  }

  return {
    client: (slot) => createLinkClient(slot, listener, log, emit),
    async opened(slot: LinkSlot, link: Link) {
      await levels.restore(slot, link)
      await subscriptions.restore(slot, link)
      // What has become of the resources meanwhile is unknown.
      for (const uri of slot.subscriptions?.keys() ?? []) listener.resourceUpdated(slot, payloadOf({ uri }))
      void announceChanged(slot, link)
    },
    linked: (slot) => catalogue.linked(slot),
    unlinked: (slot) => catalogue.unlinked(slot),
    reachabilityChanged(entry: BackendEntry) {
      catalogue.forget(entry)
      changes.changed(entry, listKinds)
    },
  }
}

/** Delivers updates of resources to those who are subscribed to them, under the URIs that they know. */
function deliverTo(callers: HomeCallers, ownUris: OwnUris): DeliverUpdate {
  return (slot, uri, params) => {
    const shown = new Map<string, Payload>()
    const { name } = slot.entry.backend
    for (const id of subscribersOf(slot, uri)) {
      const caller = callers.peek(id)
      if (caller === undefined || !permitsUri(caller.tenant.resources, name, uri)) continue
      const prefix = ownUris.has(caller, name, uri) ? '' : prefixIn(caller.tenant, slot.entry)
      const seen = keptOr(shown, prefix, () => edit(params, { uri: uriFor(prefix, uri) }))
      caller.notify({ method: methods.notificationsResourcesUpdated, params: seen })
    }
  }
}
