import { expect, test } from 'vitest'
import { ReadShare } from './read-share.ts'

test('little work never waits, however often it comes', () => {
  const share = new ReadShare(0)
  for (let now = 0; now < 10_000; now += 10) expect(share.spend(0.5, now)).toBe(0)
})

test('work without end takes a tenth of the time', () => {
  const share = new ReadShare(0)
  let now = 0
  let worked = 0
  while (now < 60_000) {
    now += 1
    worked += 1
    now += share.spend(1, now)
  }
  expect(worked / now).toBeCloseTo(0.1, 1)
})
