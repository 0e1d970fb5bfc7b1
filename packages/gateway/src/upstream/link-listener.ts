import type { Link, Log, Tell } from '@junctor/contracts'
import type { Payload } from '@junctor/jsonrpc'
import { edit } from '@junctor/jsonrpc'
import { methods, uriFor } from '@junctor/protocol'
import type { BackendEntry } from '../shared/backend-entry.ts'
import type { BackendCatalogue } from './catalogue/backend-catalogue.ts'
import type { ListChanges } from './callers/list-changes.ts'
import { listKinds } from './catalogue/snapshot.ts'
import { prefixIn } from '../shared/prefix-in.ts'
import type { Caller } from './callers/caller.ts'
import type { LogLevels } from './calls/log-levels.ts'
import type { Subscriptions } from './subscriptions.ts'
import { createLinkClient, updatedUri } from './links/link-client.ts'
import type { LinkListener } from './links/link-client.ts'
import type { LinkEvents } from './links/link-pool.ts'
import type { LinkSlot } from './links/link-slot.ts'

/** What links are listened to with. Two of them are made after the pool that tells of links, hence the functions. */
export interface LinkListenerParts {
  readonly home: (session: string) => Caller | undefined
  readonly changes: ListChanges
  readonly catalogue: () => BackendCatalogue
  readonly subscriptions: () => Subscriptions
  readonly levels: LogLevels
  readonly log: Log
  readonly tell: Tell
}

/** Brings what links say to the catalogue and to the sessions that it concerns. */
export function createLinkListener(parts: LinkListenerParts): LinkEvents {
  const { home, changes, levels, log, tell } = parts

  const listener: LinkListener = {
    listChanged(slot, kind) {
      parts.catalogue().changed(slot)
      changes.changed(slot.entry, kind, slot.scope)
    },
    resourceUpdated(slot, params) {
      const uri = updatedUri(params)
      if (uri === undefined) return
      const shown = new Map<string, Payload>()
      for (const id of parts.subscriptions().subscribers(slot, uri)) {
        const session = home(id)
        if (session === undefined) continue
        const prefix = prefixIn(session.tenant, slot.entry)
        const seen = shown.get(prefix) ?? edit(params, { uri: uriFor(prefix, uri) })
        shown.set(prefix, seen)
        session.notify({ method: methods.notificationsResourcesUpdated, params: seen })
      }
    },
    sessionOf: ({ scope }) => (scope.session === undefined ? undefined : home(scope.session)),
  }

  return {
    client: (slot) => createLinkClient(slot, listener, log, tell),
    async opened(slot: LinkSlot, link: Link) {
      await levels.restore(slot, link)
      await parts.subscriptions().restore(slot, link)
    },
    reachable(entry: BackendEntry) {
      parts.catalogue().forget(entry)
      for (const kind of listKinds) changes.changed(entry, kind, undefined)
    },
  }
}
