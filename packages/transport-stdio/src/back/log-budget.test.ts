import { expect, test } from 'vitest'
import { createLogBudget } from './log-budget.ts'

test('a burst is logged, the rest is counted, and the count is told with the next line', () => {
  let now = 0
  const budget = createLogBudget(() => now)
  const burst = Array.from({ length: 130 }, () => budget.spend())
  expect(burst).toEqual([...Array.from({ length: 100 }, () => 0), ...Array.from({ length: 30 }, () => undefined)])
  now += 100
  expect([budget.spend(), budget.spend()]).toEqual([30, undefined])
  now += 60_000
  expect([budget.spend(), budget.spend()]).toEqual([1, 0])
})
