import { edit, type Payload, payloadOf } from '@junctor/jsonrpc'
import type { ClientRequest } from '../client-request.ts'

/**
 * Questions as `inputRequests`, by their keys (2026-07-28, Multi Round-Trip Requests; SEP-2663). Each has params, also if
 * its server sent none, as `roots/list` may be: the SDK for Go 1.8 cannot read a question without params.
 */
export function printQuestions(questions: Iterable<readonly [string, ClientRequest]>): Payload {
  const shown = Array.from(questions, ([key, { method, params }]) => [
    key,
    params === undefined ? payloadOf({ method, params: {} }) : edit(payloadOf({ method }), { params }),
  ])
  return edit(payloadOf({}), Object.fromEntries(shown))
}
