import { expect, test } from 'vitest'
import { payloadOf } from '@junctor/jsonrpc'
import { printAnswer, readAnswer } from './answer-text.ts'

test.each([
  ['{"result":{"roots":[]}}', { result: payloadOf({ roots: [] }) }],
  ['{"result":null}', { result: payloadOf(null) }],
  ['{"error":{"code":-1,"message":"\\"no\\""}}', { error: { code: -1, message: '"no"' } }],
  ['{"error":{"code":-1,"message":"","data":[1]}}', { error: { code: -1, message: '', data: payloadOf([1]) } }],
])('an answer is read by another node: %s', (text, answer) => {
  expect(printAnswer(answer)).toBe(text)
  const read = readAnswer(text)
  expect(read && printAnswer(read)).toBe(text)
})

test.each(['{}', '{"error":null}', '{"error":{"code":"1","message":"a"}}', '{"error":{"code":1}}'])(
  'text that is not an answer is not read: %s',
  (text) => {
    expect(readAnswer(text)).toBeUndefined()
  },
)
