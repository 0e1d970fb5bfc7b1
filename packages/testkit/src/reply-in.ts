import type { JsonObject } from '@junctor/jsonrpc'

/**
 * Returns the last message in the body of an HTTP response: of a JSON text, of server-sent events or of lines of JSON.
 * A client that accepts a stream gets one whenever the answer takes the gateway longer than a moment, so a test that
 * reads only JSON depends on the speed of its machine.
 *
 * @throws Error if there is no message in the body
 */
export function replyIn(body: string): JsonObject {
  const texts = body.split('\n').map((line) => (line.startsWith('data: ') ? line.slice('data: '.length) : line))
  const last = texts.findLast((text) => text.startsWith('{'))
  if (last === undefined) throw new Error(`Expected a message in the body of a response, got ${body.slice(0, 200)}`)
  return JSON.parse(last) as JsonObject
}
