import { expect, test } from 'vitest'
import { keepsLessLong, streamDifferences } from './stream-differences.ts'

test('a stream with the wanted configuration has no differences, with any additional members', () => {
  const wanted = { name: 's', num_replicas: 1, subjects: ['a.>'], max_age: 5 }
  expect(streamDifferences(wanted, { ...wanted, subjects: ['a.>'], max_bytes: -1 })).toEqual([])
})

test('each difference contains the expected and the found value', () => {
  const wanted = { name: 's', num_replicas: 3, allow_direct: true, max_age: 5 }
  expect(streamDifferences(wanted, { name: 's', num_replicas: 1, max_age: 7 })).toEqual([
    'num_replicas: expected 3, found 1',
    'allow_direct: expected true, found undefined',
    'max_age: expected 5, found 7',
  ])
})

test.each([
  [5, 7, true],
  [5, 0, true],
  [7, 5, false],
  [5, 5, false],
  [0, 5, false],
  [0, 0, false],
])('messages that go after %d go too early for %d: %s', (age, wanted, expected) => {
  expect(keepsLessLong({ max_age: age }, { max_age: wanted })).toBe(expected)
})
