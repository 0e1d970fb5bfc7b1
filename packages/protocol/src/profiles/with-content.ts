import { memberOf, type Payload, payloadOf, printPayload } from '@junctor/jsonrpc'

/** Returns a tool result with `content`. If it has none, the content is the result as JSON text. */
export function withContent(result: Payload): Payload {
  if (memberOf(result.value(), 'content') !== undefined) return result
  return payloadOf({ content: [{ type: 'text', text: printPayload(result) }] })
}
