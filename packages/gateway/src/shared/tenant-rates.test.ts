import { expect, test } from 'vitest'
import { rateOf } from './tenant-rates.ts'

test.each([
  ['a sixth of a minute by default', 600, 10_000, { calls: 100, windowMs: 10_000 }],
  ['ten calls at least', 60, 1_000, { calls: 10, windowMs: 10_000 }],
  ['what a minute allows, if that is less', 6, 10_000, { calls: 6, windowMs: 60_000 }],
  ['one call', 1, 10_000, { calls: 1, windowMs: 60_000 }],
  ['a whole minute', 600, 60_000, { calls: 600, windowMs: 60_000 }],
  ['more than a minute', 6, 600_000, { calls: 60, windowMs: 600_000 }],
  ['whole calls in a window that fits', 70, 10_000, { calls: 11, windowMs: (11 * 60_000) / 70 }],
])('a burst is %s', (_, callsPerMinute, burstMs, rate) => {
  expect(rateOf(callsPerMinute, burstMs)).toEqual(rate)
})
