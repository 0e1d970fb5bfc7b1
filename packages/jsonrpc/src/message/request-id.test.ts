import { expect, test } from 'vitest'
import { numberedId, requestId, type RequestId, requestIdValue } from './request-id.ts'

test.each([0, 1, -1.5, '', '1', 'a"b', '\u{1f600}'])('the id %j is its own key and is restored', (value) => {
  expect(requestId(value)).toBe(JSON.stringify(value))
  expect(requestIdValue(requestId(value))).toBe(value)
})

test('1 and "1" are two ids, and null is an id', () => {
  expect(requestId(1)).not.toBe(requestId('1'))
  expect(requestIdValue('null' as RequestId)).toBeNull()
})

test.each([
  ['1', '1'],
  ['"1"', '1'],
  ['1.0', '1'],
  ['1.2E1', '12'],
  ['9007199254740993', '9007199254740993'],
  ['1.5', '1.5'],
  ['"a"', '"a"'],
  ['""', '""'],
  ['null', 'null'],
])('the id %s of a response stands for the number %s', (id, own) => {
  expect(numberedId(id as RequestId)).toBe(own)
})
