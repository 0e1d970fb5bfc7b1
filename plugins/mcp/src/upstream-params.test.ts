import type { ServerInfo } from '@junctor/exchange'
import { payloadFromText, payloadOf, printPayload } from '@junctor/jsonrpc'
import { expect, test } from 'vitest'
import { upstreamParams } from './upstream-params.ts'

const plain: ServerInfo = { revision: '2025-11-25', capabilities: {}, info: {}, instructions: undefined }
const withTasks: ServerInfo = { ...plain, capabilities: { tasks: { list: {} } } }

test.each([
  ['nothing', undefined, 7, plain, { _meta: { progressToken: 7 } }],
  ['no _meta', { name: 'a' }, 7, plain, { name: 'a', _meta: { progressToken: 7 } }],
  ["a client's token", { _meta: { progressToken: 'mine', x: 1 } }, 7, plain, { _meta: { progressToken: 7, x: 1 } }],
  [
    "a client's token that nobody listens to",
    { _meta: { progressToken: 0, x: 1 } },
    undefined,
    plain,
    { _meta: { x: 1 } },
  ],
  ['a task for a server without tasks', { name: 'a', task: { ttl: 1 } }, undefined, plain, { name: 'a' }],
  ['a task for a server with tasks', { task: {} }, undefined, withTasks, { task: {} }],
  ['a task and a token', { task: {}, name: 'a' }, 7, plain, { name: 'a', _meta: { progressToken: 7 } }],
  ['_meta that is no object', { _meta: 1 }, 7, plain, { _meta: { progressToken: 7 } }],
])('params with %s', (_, params, token, server, expected) => {
  const sent = upstreamParams(params === undefined ? undefined : payloadOf(params), token, server)
  expect(JSON.parse(printPayload(sent ?? payloadOf(null)))).toEqual(expected)
})

test('params that need no change are the same object', () => {
  const params = payloadOf({ name: 'a', _meta: { x: 1 } })
  expect(upstreamParams(params, undefined, plain)).toBe(params)
  expect(upstreamParams(undefined, undefined, plain)).toBeUndefined()
})

test('what is not changed stays as it was written', () => {
  const params = payloadFromText('{"n":1.0,"_meta":{"big":9007199254740993}}')
  expect(printPayload(upstreamParams(params, 7, plain) ?? params)).toBe(
    '{"n":1.0,"_meta":{"big":9007199254740993,"progressToken":7}}',
  )
})
