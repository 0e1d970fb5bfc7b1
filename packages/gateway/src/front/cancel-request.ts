import type { Fabric } from '@junctor/exchange'
import type { Message, Payload, RequestId } from '@junctor/jsonrpc'
import { member, printPayload, requestId } from '@junctor/jsonrpc'
import { rpcMethods } from '@junctor/protocol'
import type { FrontSession } from '../sessions/front-session.ts'
import type { ClientMessages } from './client-messages.ts'
import { toControl } from './control.ts'

/** Whether this is `request.cancel`, with or without an id of its own; it is of JSON-RPC 3.0 alone. */
export function isCancel(message: Message): boolean {
  return (
    message.dialect === '3.0' &&
    (message.kind === 'request' || message.kind === 'notification') &&
    message.method === rpcMethods.cancel
  )
}

/**
 * The request that the params of `request.cancel` name: `{"stream":true,"id":1}` (JSON-RPC 3.0 section 4.2),
 * `{"stream":1,"abort":true}` (section 11.4), or the id alone. `undefined`: none that could be one.
 */
export function cancelTarget(params: Payload | undefined): RequestId | undefined {
  if (params === undefined) return undefined
  const named = member(params, 'id') ?? member(params, 'stream')
  const value = named?.value()
  if (named === undefined || value === undefined) return undefined
  if (typeof value === 'string') return requestId(value)
  return typeof value === 'number' || value === null ? (printPayload(named) as RequestId) : undefined
}

/** Ends a request of the session wherever it runs. What is not the session's, or not there any more, is left alone. */
export function cancelRequest(
  fabric: Fabric,
  messages: Pick<ClientMessages, 'cancel'>,
  session: FrontSession,
  id: RequestId | undefined,
): void {
  if (id === undefined || messages.cancel(session, id)) return
  void fabric.send('all', toControl({ kind: 'cancel', session: session.id, id }))
}
