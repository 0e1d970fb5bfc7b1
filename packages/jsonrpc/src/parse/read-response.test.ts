import { describe, expect, test } from 'vitest'
import fc from 'fast-check'
import { parseFrame } from './parse-frame.ts'
import { printMessage } from '../print/print-message.ts'

function resultOf(frame: string) {
  const parsed = parseFrame(frame)
  if (parsed.kind !== 'message' || parsed.message.kind !== 'result') throw new Error(`not a result: ${frame}`)
  return parsed.message.result
}

describe('the text of a result', () => {
  test.each([
    ['the usual order', '{"jsonrpc":"2.0","id":7,"result":{"a":[1, 2]}}', '{"a":[1, 2]}'],
    ['the result first', '{"result":{"a":"}"},"jsonrpc":"2.0","id":7}', '{"a":"}"}'],
    ['a text as id', '{"jsonrpc":"2.0","id":"a,\\"result\\":","result":"x"}', '"x"'],
    ['another spelling of the same value', '{"jsonrpc":"2.0","id":7,"result":{"a":"\\u0061"}}', '{"a":"\\u0061"}'],
    ['nothing but null', '{"jsonrpc":"2.0","id":7,"result":null}', 'null'],
  ])('is kept: %s', (_, frame, text) => {
    expect(resultOf(frame)).toMatchObject({ text, known: JSON.parse(text) })
  })

  test.each([
    ['another member after it', '{"jsonrpc":"2.0","id":7,"result":{"a":1},"more":{"b":2}}'],
    ['another member that is undefined as an answer', '{"jsonrpc":"2.0","id":7,"result":1,"ack":{}}'],
    ['another member between', '{"result":{"a":1},"more":{},"jsonrpc":"2.0","id":7}'],
    ['another order', '{"id":7,"jsonrpc":"2.0","result":{}}'],
    ['space between the members', '{"jsonrpc":"2.0", "id":7,"result":{}}'],
    ['space around the message', ' {"jsonrpc":"2.0","id":7,"result":{}} '],
    ['an escaped name', '{"jsonrpc":"2.0","\\u0069d":7,"result":{}}'],
    ['a newline in it', '{"jsonrpc":"2.0","id":7,"result":{\n"a":1}}'],
    ['the text of JSON-RPC 3.0', '{"jsonrpc":"3.0","id":7,"result":{}}'],
    ['an entry of a batch', '[{"jsonrpc":"2.0","id":7,"result":{}}]'],
  ])('is not known: %s', (_, frame) => {
    const parsed = parseFrame(frame)
    const message = parsed.kind === 'message' ? parsed.message : parsed.kind === 'batch' ? parsed.entries[0] : undefined
    expect(message).toMatchObject({ kind: 'result', result: { text: undefined } })
  })

  test.each([
    ['{"jsonrpc":"2.0","id":7,"result":{"a":1},"result":{"b":2}}', 'unreadable'],
    ['{"jsonrpc":"2.0","id":7,"result":{"a":1},"result":{"b":2},"jsonrpc":"2.0","id":7}', 'unreadable'],
    ['{"result":{"a":1},"result":{"b":2},"jsonrpc":"2.0","id":7}', 'unreadable'],
    ['{"result":1,"id":7,"jsonrpc":"2.0","id":7}', 'unreadable'],
    [
      '{"jsonrpc":"2.0","id":7,"result":{"a":1},"extra":{"result":{"b":2}}}',
      '{"jsonrpc":"2.0","id":7,"result":{"a":1}}',
    ],
  ])('never has another member of the message: %s', (frame, printed) => {
    const parsed = parseFrame(frame)
    expect(parsed.kind === 'message' ? printMessage(parsed.message, { nullId: true }) : parsed.kind).toBe(printed)
  })

  test('is the text of its value, whatever the value, the id and the order', () => {
    const id = fc.oneof(fc.integer(), fc.string())
    fc.assert(
      fc.property(fc.jsonValue(), id, fc.boolean(), (result, given, isFirst) => {
        const own = JSON.stringify({ result })
        const frame = isFirst
          ? JSON.stringify({ result, jsonrpc: '2.0', id: given })
          : JSON.stringify({ jsonrpc: '2.0', id: given, result })
        expect(`{"result":${resultOf(frame).text}}`).toBe(own)
      }),
    )
  })
})
