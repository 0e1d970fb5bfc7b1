import { expect, test } from 'vitest'
import { readRefusal } from './read-refusal.ts'

const unchanged = (text: string): string => text

test.each([
  ['{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"No session"}}', 'No session'],
  ['{"error":"invalid_token","error_description":"It has expired"}', 'It has expired'],
  ['{"error":"invalid_token"}', 'invalid_token'],
  ['{"message":"Not today"}', 'Not today'],
  ['try\n\tlater\u0007 ', 'try later'],
  ['x'.repeat(300), `${'x'.repeat(200)}...`],
])('%j contains the explanation %j', (body, explanation) => {
  expect(readRefusal(Buffer.from(body), unchanged)).toBe(explanation)
})

test.each([[''], ['<!doctype html>'], ['{"a":1}'], ['{"a":'], ['[1]'], ['{"error":{"message":1}}']])(
  '%j contains no explanation',
  (body) => {
    expect(readRefusal(Buffer.from(body), unchanged)).toBeUndefined()
  },
)

test('bytes that are not text contain no explanation', () => {
  expect(readRefusal(Uint8Array.of(0xff, 0xfe), unchanged)).toBeUndefined()
})
