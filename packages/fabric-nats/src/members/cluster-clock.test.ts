import { expect, test } from 'vitest'
import { ClusterClock } from './cluster-clock.ts'

test.each([
  ['right', 1_000_400, 1_000_000],
  ['five minutes behind', 1_300_100, 1_300_100 - 50],
  ['five minutes ahead', 700_100, 700_100 - 50],
  ['of a server without a valid time', Number.NaN, 1_000_000],
])('a clock that is %s', (_what, at, now) => {
  const clock = new ClusterClock(() => 1_000_000)
  clock.measured(at, 1_000_000, 1_000_100)
  expect(clock.now()).toBe(now)
})

test('a slow measurement changes nothing that it does not prove', () => {
  const clock = new ClusterClock(() => 1_000_000)
  clock.measured(1_005_000, 1_000_000, 1_010_000)
  clock.measured(1_001_000, 1_000_000, 1_004_000)
  expect(clock.now()).toBe(1_000_000)
})

test('a local clock that was corrected is not corrected any more', () => {
  let local = 1_000_000
  const clock = new ClusterClock(() => local)
  clock.measured(1_300_000, local, local)
  expect(clock.now()).toBe(1_300_000)
  local = 1_300_001
  clock.measured(1_300_001, local, local)
  expect(clock.now()).toBe(1_300_001)
})
