import { describe, expect, test } from 'vitest'
import { payloadFromText, payloadOf } from '../payload/payload.ts'
import { printError, printMessage, printNotification, printRequest, printResult } from './print-message.ts'
import { requestId, type RequestId } from '../message/request-id.ts'

describe('printing', () => {
  test.each([
    ['a request', printRequest(requestId(1), 'm', payloadOf({})), '{"jsonrpc":"2.0","id":1,"method":"m","params":{}}'],
    [
      'a request without params',
      printRequest(requestId('a'), 'm', undefined),
      '{"jsonrpc":"2.0","id":"a","method":"m"}',
    ],
    ['ids 0 and ""', printRequest(requestId(0), '', undefined), '{"jsonrpc":"2.0","id":0,"method":""}'],
    ['an id by its text', printResult('1.0' as RequestId, payloadOf(null)), '{"jsonrpc":"2.0","id":1.0,"result":null}'],
    ['a notification', printNotification('n', payloadOf([1])), '{"jsonrpc":"2.0","method":"n","params":[1]}'],
    ['a notification without params', printNotification('n', undefined), '{"jsonrpc":"2.0","method":"n"}'],
    [
      'a result by its text',
      printResult(requestId(''), payloadFromText('{"n":1.0}')),
      '{"jsonrpc":"2.0","id":"","result":{"n":1.0}}',
    ],
    [
      'an error with data',
      printError(requestId(1), { code: -32000, message: 'no', data: payloadOf([1]), title: 'No', status: 503 }, true),
      '{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"no","data":[1]}}',
    ],
    [
      'an error with an unknown id',
      printError(undefined, { code: -32700, message: 'Parse error' }, true),
      '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}',
    ],
    [
      'an error with an unknown id for a peer that takes no null',
      printError(undefined, { code: -32700, message: 'Parse error' }, false),
      '{"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error"}}',
    ],
  ])('%s', (_name, printed, expected) => {
    expect(printed).toBe(expected)
  })

  test.each(['a"b', 'a\\b', 'a\nb', 'a\u0000', '\ud800', '\u{1f600}', '\u2028', ''])(
    'escapes method %j as JSON does',
    (method) => {
      expect(printNotification(method, undefined)).toBe(`{"jsonrpc":"2.0","method":${JSON.stringify(method)}}`)
      expect(printError(undefined, { code: 1, message: method }, true)).toContain(
        `"message":${JSON.stringify(method)}}`,
      )
    },
  )

  test('printMessage prints each kind of message', () => {
    const params = payloadOf([1])
    const id = requestId(1)
    const dialect = '2.0'
    const print = (message: Parameters<typeof printMessage>[0]): string => printMessage(message, { nullId: false })
    expect(print({ kind: 'request', dialect, id, method: 'm', params })).toBe(printRequest(id, 'm', params))
    expect(print({ kind: 'notification', dialect, method: 'm', params })).toBe(printNotification('m', params))
    expect(print({ kind: 'result', dialect, id, result: params })).toBe(printResult(id, params))
    const error = { code: 1, message: 'x' }
    expect(print({ kind: 'error', dialect, id: undefined, error })).toBe(printError(undefined, error, false))
    expect(printMessage({ kind: 'error', dialect, id: undefined, error }, { nullId: true })).toContain('"id":null')
  })
})
