import type { Payload } from '@junctor/jsonrpc'
import { isJsonObject, payloadOf, printPayload } from '@junctor/jsonrpc'

/** A tool's result with content: one that has none is shown as JSON text. */
export function withContent(result: Payload): Payload {
  const value = result.value()
  if (isJsonObject(value) && value['content'] !== undefined) return result
  return payloadOf({ content: [{ type: 'text', text: printPayload(result) }] })
}
