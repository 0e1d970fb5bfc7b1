import { expect, test } from 'vitest'
import type { Message } from '../message/message.ts'
import { payloadFromText, payloadOf } from '../payload/payload.ts'
import { printMessage } from './print-message.ts'
import { printAck } from './print-v3.ts'
import { requestId } from '../message/request-id.ts'

const id = requestId(1)
const dialect = '3.0'
const error = { code: -32000, message: 'no' }

const messages: readonly (readonly [string, Message, string])[] = [
  [
    'a request',
    { kind: 'request', dialect, id, method: 'm', params: payloadOf([]), options: payloadOf({ stream: true }) },
    '{"jsonrpc":"3.0","id":1,"method":"m","params":[],"options":{"stream":true}}',
  ],
  [
    'a request that has a method alone',
    { kind: 'request', dialect, id, method: 'a"b\n', params: undefined },
    '{"jsonrpc":"3.0","id":1,"method":"a\\"b\\n"}',
  ],
  [
    'a notification with options by their text',
    { kind: 'notification', dialect, method: 'n', params: undefined, options: payloadFromText('{"ratio":1.0}') },
    '{"jsonrpc":"3.0","method":"n","options":{"ratio":1.0}}',
  ],
  ['a result', { kind: 'result', dialect, id, result: payloadOf(null) }, '{"jsonrpc":"3.0","id":1,"result":null}'],
  [
    'a result in stream form',
    { kind: 'result', dialect, id, result: payloadOf(0), stream: true },
    '{"jsonrpc":"3.0","stream":{"id":1},"result":0}',
  ],
  [
    'an error without a title',
    { kind: 'error', dialect, id, error },
    '{"jsonrpc":"3.0","id":1,"error":{"code":-32000,"title":"no","message":"no"}}',
  ],
  [
    'an error in stream form',
    { kind: 'error', dialect, id, error: { ...error, title: '"', data: payloadOf({}), status: 500 }, stream: true },
    '{"jsonrpc":"3.0","stream":{"id":1},"error":{"code":-32000,"title":"\\"","message":"no","data":{}}}',
  ],
  [
    'an error of something unknown',
    { kind: 'error', dialect, id: undefined, error, stream: true },
    '{"jsonrpc":"3.0","id":null,"error":{"code":-32000,"title":"no","message":"no"}}',
  ],
  ['an ack', { kind: 'ack', dialect, id, info: undefined }, '{"jsonrpc":"3.0","id":1,"ack":{}}'],
  [
    'an ack of a stream',
    { kind: 'ack', dialect, id, info: payloadOf({ a: 1 }), stream: true },
    '{"jsonrpc":"3.0","ack":{"id":1,"a":1}}',
  ],
  [
    'a piece of a stream',
    { kind: 'chunk', dialect, id, data: payloadFromText('1.0') },
    '{"jsonrpc":"3.0","stream":{"id":1,"data":1.0}}',
  ],
  ['an abort', { kind: 'abort', dialect, id }, '{"jsonrpc":"3.0","options":{"stream":1,"abort":true}}'],
]

test.each(messages)('%s is printed in its canonical form', (_name, message, text) => {
  for (const nullId of [true, false]) expect(printMessage(message, { nullId })).toBe(text)
})

test.each(['{}', ' { } ', '{ }'])('an ack of a stream without more members, as %j, is an object', (text) => {
  expect(printAck(id, payloadFromText(text), true)).toBe('{"jsonrpc":"3.0","ack":{"id":1}}')
})

test('an ack of a stream keeps the text of its members', () => {
  expect(printAck(id, payloadFromText('{ "n" : 1.0 }'), true)).toBe('{"jsonrpc":"3.0","ack":{"id":1,"n" : 1.0 }}')
})
