import { payloadFromText, payloadOf, printPayload, type ServerInfo } from '@junctor/plugin-sdk/link'
import { expect, test } from 'vitest'
import { upstreamParams } from './upstream-params.ts'

const plain: ServerInfo = { revision: '2025-11-25', capabilities: {}, info: {}, instructions: undefined }
const withTasks: ServerInfo = { ...plain, capabilities: { tasks: { list: {} } } }

test.each([
  ['nothing', undefined, 7, plain, { _meta: { progressToken: 7 } }],
  ['no _meta', { name: 'a' }, 7, plain, { name: 'a', _meta: { progressToken: 7 } }],
  ["a client's token", { _meta: { progressToken: 'mine', x: 1 } }, 7, plain, { _meta: { progressToken: 7, x: 1 } }],
  [
    "a client's token without a progress listener",
    { _meta: { progressToken: 0, x: 1 } },
    undefined,
    plain,
    { _meta: { x: 1 } },
  ],
  ['a task for a server without tasks', { name: 'a', task: { ttl: 1 } }, undefined, plain, { name: 'a' }],
  ['a task for a server with tasks', { task: {} }, undefined, withTasks, { task: {} }],
  ['a task and a token', { task: {}, name: 'a' }, 7, plain, { name: 'a', _meta: { progressToken: 7 } }],
  ['_meta that is not an object', { _meta: 1 }, 7, plain, { _meta: { progressToken: 7 } }],
])('params with %s', (_, params, token, server, expected) => {
  const sent = upstreamParams(params === undefined ? undefined : payloadOf(params), token, server, undefined)
  expect(JSON.parse(printPayload(sent ?? payloadOf(null)))).toEqual(expected)
})

test('params that need no change are the same object', () => {
  const params = payloadOf({ name: 'a', _meta: { x: 1 } })
  expect(upstreamParams(params, undefined, plain, undefined)).toBe(params)
  expect(upstreamParams(undefined, undefined, plain, undefined)).toBeUndefined()
})

test('unchanged params keep their text', () => {
  const params = payloadFromText('{"n":1.0,"_meta":{"big":9007199254740993}}')
  expect(printPayload(upstreamParams(params, 7, plain, undefined) ?? params)).toBe(
    '{"n":1.0,"_meta":{"big":9007199254740993,"progressToken":7}}',
  )
})

const trace = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'

test.each([
  ['nothing', undefined, undefined, { _meta: { traceparent: trace } }],
  ['_meta', { _meta: { x: 1 } }, undefined, { _meta: { x: 1, traceparent: trace } }],
  ['a token of ours', { _meta: { x: 1 } }, 7, { _meta: { x: 1, progressToken: 7, traceparent: trace } }],
  ['a trace', { _meta: { traceparent: 'mine' } }, undefined, { _meta: { traceparent: 'mine' } }],
  [
    'a trace and a token of ours',
    { _meta: { traceparent: 'mine' } },
    7,
    { _meta: { traceparent: 'mine', progressToken: 7 } },
  ],
])('the trace goes upstream with params that have %s', (_, params, token, expected) => {
  const sent = upstreamParams(params === undefined ? undefined : payloadOf(params), token, plain, trace)
  expect(JSON.parse(printPayload(sent ?? payloadOf(null)))).toEqual(expected)
})
