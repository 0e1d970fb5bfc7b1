import type { JsonValue, Request } from '@junctor/jsonrpc'
import { payloadOf, requestId } from '@junctor/jsonrpc'

/** A request of one node to another, for itself: no client sees it, so its id need not tell it from others. */
export function nodeRequest(method: string, body?: JsonValue): Request {
  const params = body === undefined ? undefined : payloadOf(body)
  return { kind: 'request', dialect: '2.0', id: requestId(0), method, params }
}
