import { expect, test } from 'vitest'
import { parseEventTime, printEventTime } from './event-time.ts'

const base = Date.UTC(2025, 9, 21, 14, 32, 10) * 1000

test('a time has microseconds and an offset', () => {
  expect(printEventTime(base + 123_456)).toBe('2025-10-21T14:32:10.123456+00:00')
  expect(printEventTime(base + 7)).toBe('2025-10-21T14:32:10.000007+00:00')
})

test.each([
  ['2025-10-21T14:32:10.123456+00:00', base + 123_456],
  ['2025-10-21T14:32:10.123456 00:00', base + 123_456],
  ['2025-10-21T14:32:10.1234567Z', base + 123_456],
  ['2025-10-21T14:32:10Z', base],
  ['2025-10-21t14:32:10z', base],
  ['2025-10-21 14:32:10', base],
  ['2025-10-21T16:32:10+02:00', base],
  ['2025-10-21T09:02:10-0530', base],
  ['2025-10-21T14:32', base - 10_000_000],
  ['2025-10-21', Date.UTC(2025, 9, 21) * 1000],
  ['2025-13-21', undefined],
  ['2025-10-21T25:00:00Z', undefined],
  ['21.10.2025', undefined],
  ['1761057130', undefined],
  ['', undefined],
])('%s is %s', (text, microseconds) => {
  expect(parseEventTime(text)).toBe(microseconds)
})

test('a printed time is parsed again', () => {
  expect(parseEventTime(printEventTime(base + 999_999))).toBe(base + 999_999)
})
