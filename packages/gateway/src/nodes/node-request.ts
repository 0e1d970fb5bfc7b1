import { type JsonValue, payloadOf, type Request, requestId } from '@junctor/jsonrpc'

/** A request of one node to another. Its id is always 0, because no client sees it and no table uses it. */
export function nodeRequest(method: string, body?: JsonValue): Request {
  const params = body === undefined ? undefined : payloadOf(body)
  return { kind: 'request', dialect: '2.0', id: requestId(0), method, params }
}
