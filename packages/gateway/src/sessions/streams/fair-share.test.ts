import { expect, test } from 'vitest'
import { fairShare } from './fair-share.ts'

test.each([
  [[], Infinity],
  [[100], Infinity],
  [[101], 100],
  [[10, 200], 90],
  [[10, 20, 200, 300], 35],
  [[60, 60], 50],
])('owners that keep %j of 100 have a share of %d', (totals, share) => {
  expect(fairShare(totals, 100)).toBe(share)
})
