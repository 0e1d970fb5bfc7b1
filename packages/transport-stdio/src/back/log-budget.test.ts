import { expect, test } from 'vitest'
import { createLogBudget } from './log-budget.ts'

test('a burst is logged, further lines are counted, and the next logged line has their count', () => {
  let now = 0
  const budget = createLogBudget(() => now)
  const burst = Array.from({ length: 130 }, () => budget.spend())
  expect(burst).toEqual([...Array.from({ length: 100 }, () => ({})), ...Array.from({ length: 30 }, () => undefined)])
  now += 100
  expect([budget.spend(), budget.spend()]).toEqual([{ suppressed: 30 }, undefined])
  now += 60_000
  expect([budget.spend(), budget.spend()]).toEqual([{ suppressed: 1 }, {}])
})
