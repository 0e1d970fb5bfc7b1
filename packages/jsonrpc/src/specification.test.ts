import { describe, expect, test } from 'vitest'
import { isJsonObject, type JsonValue } from './json/json.ts'
import type { Message } from './message/message.ts'
import { parseFrame } from './parse/parse-frame.ts'
import { payloadOf, type Payload } from './payload/payload.ts'
import { printError, printResult } from './print/print-message.ts'
import type { RequestId } from './message/request-id.ts'
import type { Unreadable } from './message/unreadable.ts'

// The examples of JSON-RPC 2.0 section 7, with the smallest possible server on this package.

const numbers = (params: Payload | undefined): number[] => params?.value() as number[]

const methods: Readonly<Record<string, (params: Payload | undefined) => JsonValue>> = {
  subtract(params) {
    const given = params?.value()
    const [minuend = 0, subtrahend = 0] = isJsonObject(given)
      ? [Number(given['minuend']), Number(given['subtrahend'])]
      : numbers(params)
    return minuend - subtrahend
  },
  sum: (params) => numbers(params).reduce((total, number) => total + number, 0),
  get_data: () => ['hello', 5],
  update: () => null,
  notify_hello: () => null,
  notify_sum: () => null,
}

const errorMessages = { parse_error: 'Parse error', invalid_request: 'Invalid Request', too_large: 'Invalid Request' }

function refusal(situation: Unreadable['situation'], id: RequestId | undefined): string {
  const code = situation === 'parse_error' ? -32700 : -32600
  return printError(id, { code, message: errorMessages[situation] }, true)
}

function answer(entry: Message | Unreadable): string[] {
  if (entry.kind === 'unreadable') return [refusal(entry.situation, entry.id)]
  if (entry.kind !== 'request') return []
  const method = methods[entry.method]
  return method === undefined
    ? [printError(entry.id, { code: -32601, message: 'Method not found' }, true)]
    : [printResult(entry.id, payloadOf(method(entry.params)))]
}

/** Returns the response text, or undefined when nothing must be sent. */
function serve(text: string): string | undefined {
  const frame = parseFrame(text)
  if (frame.kind !== 'batch') return answer(frame.kind === 'message' ? frame.message : frame)[0]
  const answers = frame.entries.flatMap(answer)
  return answers.length === 0 ? undefined : `[${answers.join(',')}]`
}

const examples: [name: string, request: string, response: string | undefined][] = [
  [
    'positional parameters',
    '{"jsonrpc": "2.0", "method": "subtract", "params": [42, 23], "id": 1}',
    '{"jsonrpc": "2.0", "result": 19, "id": 1}',
  ],
  [
    'positional parameters, the other way round',
    '{"jsonrpc": "2.0", "method": "subtract", "params": [23, 42], "id": 2}',
    '{"jsonrpc": "2.0", "result": -19, "id": 2}',
  ],
  [
    'named parameters',
    '{"jsonrpc": "2.0", "method": "subtract", "params": {"subtrahend": 23, "minuend": 42}, "id": 3}',
    '{"jsonrpc": "2.0", "result": 19, "id": 3}',
  ],
  [
    'named parameters, in another order',
    '{"jsonrpc": "2.0", "method": "subtract", "params": {"minuend": 42, "subtrahend": 23}, "id": 4}',
    '{"jsonrpc": "2.0", "result": 19, "id": 4}',
  ],
  ['a notification', '{"jsonrpc": "2.0", "method": "update", "params": [1,2,3,4,5]}', undefined],
  ['a notification of an unknown method', '{"jsonrpc": "2.0", "method": "foobar"}', undefined],
  [
    'a call of an unknown method',
    '{"jsonrpc": "2.0", "method": "foobar", "id": "1"}',
    '{"jsonrpc": "2.0", "error": {"code": -32601, "message": "Method not found"}, "id": "1"}',
  ],
  [
    'invalid JSON',
    '{"jsonrpc": "2.0", "method": "foobar, "params": "bar", "baz]',
    '{"jsonrpc": "2.0", "error": {"code": -32700, "message": "Parse error"}, "id": null}',
  ],
  [
    'an invalid request',
    '{"jsonrpc": "2.0", "method": 1, "params": "bar"}',
    '{"jsonrpc": "2.0", "error": {"code": -32600, "message": "Invalid Request"}, "id": null}',
  ],
  [
    'a batch of invalid JSON',
    `[
      {"jsonrpc": "2.0", "method": "sum", "params": [1,2,4], "id": "1"},
      {"jsonrpc": "2.0", "method"
    ]`,
    '{"jsonrpc": "2.0", "error": {"code": -32700, "message": "Parse error"}, "id": null}',
  ],
  ['an empty batch', '[]', '{"jsonrpc": "2.0", "error": {"code": -32600, "message": "Invalid Request"}, "id": null}'],
  [
    'an invalid batch',
    '[1]',
    '[{"jsonrpc": "2.0", "error": {"code": -32600, "message": "Invalid Request"}, "id": null}]',
  ],
  [
    'an invalid batch of several entries',
    '[1,2,3]',
    `[
      {"jsonrpc": "2.0", "error": {"code": -32600, "message": "Invalid Request"}, "id": null},
      {"jsonrpc": "2.0", "error": {"code": -32600, "message": "Invalid Request"}, "id": null},
      {"jsonrpc": "2.0", "error": {"code": -32600, "message": "Invalid Request"}, "id": null}
    ]`,
  ],
  [
    'a batch',
    `[
      {"jsonrpc": "2.0", "method": "sum", "params": [1,2,4], "id": "1"},
      {"jsonrpc": "2.0", "method": "notify_hello", "params": [7]},
      {"jsonrpc": "2.0", "method": "subtract", "params": [42,23], "id": "2"},
      {"foo": "boo"},
      {"jsonrpc": "2.0", "method": "foo.get", "params": {"name": "myself"}, "id": "5"},
      {"jsonrpc": "2.0", "method": "get_data", "id": "9"}
    ]`,
    `[
      {"jsonrpc": "2.0", "result": 7, "id": "1"},
      {"jsonrpc": "2.0", "result": 19, "id": "2"},
      {"jsonrpc": "2.0", "error": {"code": -32600, "message": "Invalid Request"}, "id": null},
      {"jsonrpc": "2.0", "error": {"code": -32601, "message": "Method not found"}, "id": "5"},
      {"jsonrpc": "2.0", "result": ["hello", 5], "id": "9"}
    ]`,
  ],
  [
    'a batch of notifications',
    `[
      {"jsonrpc": "2.0", "method": "notify_sum", "params": [1,2,4]},
      {"jsonrpc": "2.0", "method": "notify_hello", "params": [7]}
    ]`,
    undefined,
  ],
]

describe('JSON-RPC 2.0 section 7', () => {
  test.each(examples)('%s', (_name, request, response) => {
    const parsed = (text: string | undefined): unknown => text && JSON.parse(text)
    expect(parsed(serve(request))).toEqual(parsed(response))
  })
})
