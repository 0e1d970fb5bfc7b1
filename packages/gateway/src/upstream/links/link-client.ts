import {
  type AskOptions,
  type CallContext,
  type Client,
  gatewayPrincipal,
  type NotificationBody,
} from '@junctor/exchange'
import type { ListKind, Log, Emit } from '@junctor/contracts'
import { type Answer, memberOf, type Payload } from '@junctor/jsonrpc'
import { type ClientRequest, latestHandshake, listChanged, type LogLevel, methods } from '@junctor/protocol'
import { backendError } from '../../shared/errors.ts'
import { onlyOwner } from '../../shared/only-owner.ts'
import { mapAsk } from '../mapping/map-ask.ts'
import { mapNotification } from '../mapping/map-notification.ts'
import { askerIn } from '../../shared/prefix-in.ts'
import type { TenantEntry } from '../../shared/tenant-entry.ts'
import type { LinkSlot } from './link-slot.ts'

/** The session that owns a link alone, with what the link needs of it. */
interface LinkOwner extends Client {
  readonly tenant: TenantEntry
  readonly logLevel: LogLevel | undefined
}

/** Receives the messages of links. */
export interface LinkListener {
  listChanged(slot: LinkSlot, kind: ListKind): void
  resourceUpdated(slot: LinkSlot, params: Payload): void
  /** The session that owns a link alone. `undefined`: the link is shared, or the session has ended. */
  sessionOf(slot: LinkSlot): LinkOwner | undefined
}

const changedKinds: ReadonlyMap<string, ListKind> = new Map(
  (['tools', 'resources', 'prompts'] as const).map((kind) => [listChanged[kind], kind]),
)

/**
 * The client of a link for messages outside any request. Changes of lists and resources go to the callers that see or
 * subscribed to them; all other messages go to the session that owns the link. A shared link has no such session: its
 * messages could concern any caller, so they are logged, and its questions are refused.
 */
export function createLinkClient(slot: LinkSlot, listener: LinkListener, log: Log, emit: Emit): Client {
  const context = linkContext(slot)
  return {
    context,
    notify(notification: NotificationBody) {
      const kind = changedKinds.get(notification.method)
      if (kind !== undefined) return listener.listChanged(slot, kind)
      if (notification.method === methods.notificationsResourcesUpdated) {
        if (notification.params !== undefined) listener.resourceUpdated(slot, notification.params)
        return
      }
      const session = listener.sessionOf(slot)
      if (session === undefined) {
        log.debug('a message from a shared link belongs to no session and was dropped', {
          backend: slot.entry.backend.name,
          method: notification.method,
        })
        emit({ kind: 'notification_dropped', reason: 'no_owner', count: 1 })
        return
      }
      const mapped = mapNotification(slot.entry, session, notification, session.context.revision)
      if (mapped !== undefined) session.notify(mapped)
    },
    ask(request: ClientRequest, options?: AskOptions): Promise<Answer> {
      const session = listener.sessionOf(slot)
      if (session === undefined) return Promise.resolve({ error: backendError(context, 'ask_not_supported') })
      const { tenant } = session
      const passes = onlyOwner(tenant, request.method) === slot.entry
      const mapped = mapAsk(askerIn(tenant, slot.entry), session.context, request, passes)
      if (mapped.kind === 'ask') {
        return session.ask(mapped.request, { timeoutMs: slot.entry.askTimeoutMs, ...options })
      }
      const { situation, message } = mapped.verdict
      return Promise.resolve({ error: backendError(session.context, situation, message) })
    },
  }
}

/** The context of the gateway's own requests on a link. */
function linkContext({ scope }: LinkSlot): CallContext {
  return {
    tenant: scope.tenant,
    principal: gatewayPrincipal(scope.principal ?? 'gateway'),
    session: scope.session,
    revision: latestHandshake,
    client: { info: {}, capabilities: scope.capabilities },
    trace: undefined,
  }
}

/** The URI in a `notifications/resources/updated`. `undefined`: it has none. */
export function updatedUri(params: Payload): string | undefined {
  const uri = memberOf(params.value(), 'uri')
  return typeof uri === 'string' ? uri : undefined
}
