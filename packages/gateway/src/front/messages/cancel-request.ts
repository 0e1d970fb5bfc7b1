import {
  defaultFrameBounds,
  member,
  type Message,
  type Payload,
  printPayload,
  type RequestId,
  requestId,
} from '@junctor/jsonrpc'
import { rpcMethods } from '@junctor/protocol'

/** Whether this is `request.cancel`, with or without an id of its own. Only JSON-RPC 3.0 has it. */
export function isCancel(message: Message): boolean {
  return (
    message.dialect === '3.0' &&
    (message.kind === 'request' || message.kind === 'notification') &&
    message.method === rpcMethods.cancel
  )
}

/**
 * The request that the params of `request.cancel` name: `{"stream":true,"id":1}` (JSON-RPC 3.0 section 4.2),
 * `{"stream":1,"abort":true}` (section 11.4), or the id alone. `undefined`: the params name no valid id.
 */
export function cancelTarget(params: Payload | undefined): RequestId | undefined {
  return params === undefined ? undefined : idOf(member(params, 'id') ?? member(params, 'stream'))
}

/** The request that `notifications/cancelled` names (Cancellation). `undefined`: it names no valid id. */
export function cancelledRequest(params: Payload | undefined): RequestId | undefined {
  return params === undefined ? undefined : idOf(member(params, 'requestId'))
}

/**
 * The payload as the id of a request. `undefined`: it is not an id, or is longer than any request's. Other nodes are asked to
 * cancel what is not known here, so it must not be a text of any length.
 */
function idOf(payload: Payload | undefined): RequestId | undefined {
  const id = payload === undefined ? undefined : readId(payload)
  return id === undefined || id.length > defaultFrameBounds.idLength ? undefined : id
}

function readId(payload: Payload): RequestId | undefined {
  const value = payload.value()
  if (typeof value === 'string') return requestId(value)
  return typeof value === 'number' || value === null ? (printPayload(payload) as RequestId) : undefined
}
