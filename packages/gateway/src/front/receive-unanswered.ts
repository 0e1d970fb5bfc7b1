import type { Origin } from '@junctor/contracts'
import type { Message, Notification, Request } from '@junctor/jsonrpc'
import { canonicalMethod, methods } from '@junctor/protocol'
import type { SessionTable } from '../sessions/session/session-table.ts'
import { cancelledRequest, cancelTarget, isCancel } from './messages/cancel-request.ts'
import type { Cancels } from './messages/cancels.ts'
import type { ClientMessages } from './messages/client-messages.ts'
import type { DispatchParts } from './requests/dispatch.ts'
import type { OpenRequests } from './stateless/open-requests.ts'

/** Where a notification, a response or an abort may have to go. */
export interface UnansweredParts {
  readonly table: Pick<SessionTable, 'served' | 'peek'>
  readonly messages: ClientMessages
  readonly cancels: Cancels
  /** The requests of connections without a session. */
  readonly openRequests: OpenRequests
  readonly dispatching: DispatchParts
}

/**
 * Handles a message without an answer: a notification, a response or an abort. When there is no session, only a
 * cancellation has an effect.
 *
 * @returns whether the node that the message concerns has it. Undefined: it concerns this node, or nothing depends on it
 */
export function receiveUnanswered(
  parts: UnansweredParts,
  message: Exclude<Message, Request>,
  from: Origin,
): Promise<boolean> | undefined {
  const { table, messages, cancels } = parts
  if (message.kind === 'notification') noteNotification(parts.dispatching, message, from)
  const session = from.session === undefined ? undefined : table.served(from.session.id)
  if (session === undefined) {
    const isCancelled = message.kind === 'notification' && message.method === methods.notificationsCancelled
    const id = isCancelled ? cancelledRequest(message.params) : undefined
    if (id !== undefined) parts.openRequests.cancel(from, id)
    return undefined
  }
  const home = table.peek(session.id)
  if (home !== undefined) home.dialect = message.dialect
  if (message.kind === 'notification') {
    if (!isCancel(message)) return messages.notification(session, message)
    cancels.anywhere(session, cancelTarget(message.params))
    return undefined
  }
  if (message.kind === 'result' || message.kind === 'error') return messages.response(session, message)
  if (message.kind !== 'abort' || session.context.extensions?.includes('abort') !== true) return undefined
  cancels.anywhere(session, message.id)
  return undefined
}

/** Records a notification. It is never answered, not even with an error (JSON-RPC 2.0, section 4.1). */
export function noteNotification(
  { emit, log }: Pick<DispatchParts, 'emit' | 'log'>,
  { method }: Pick<Notification, 'method'>,
  { identity }: Pick<Origin, 'identity'>,
): void {
  const { name, profile } = identity.tenant
  emit({ kind: 'notification_received', tenant: name, method: canonicalMethod(profile, method) })
  log.debug('Received notification, no response', { method })
}
