import { expect, test } from 'vitest'
import { requestId, type RequestId, requestIdValue } from './request-id.ts'

test.each([0, 1, -1.5, '', '1', 'a"b', '\u{1f600}'])('the id %j is its own key and is restored', (value) => {
  expect(requestId(value)).toBe(JSON.stringify(value))
  expect(requestIdValue(requestId(value))).toBe(value)
})

test('1 and "1" are two ids, and null is an id', () => {
  expect(requestId(1)).not.toBe(requestId('1'))
  expect(requestIdValue('null' as RequestId)).toBeNull()
})
