import { describe, expect, it } from 'vitest'
import { createTestBackend } from '../../../test/support/test-backend.ts'
import { RetryBudget } from './retry-budget.ts'

/** How many calls in a row have room. */
function taken(budget: RetryBudget, entry: Parameters<RetryBudget['take']>[0]): number {
  let count = 0
  while (budget.take(entry)) count += 1
  return count
}

describe('a budget of retries', () => {
  it('has room for fifty at once and one in each second after that, for each backend', () => {
    let now = 1_000
    const budget = new RetryBudget(() => now)
    const [one, other] = [createTestBackend().entry, createTestBackend().entry]
    expect(taken(budget, one)).toBe(50)
    expect(taken(budget, other)).toBe(50)
    now += 999
    expect(taken(budget, one)).toBe(0)
    now += 1
    expect(taken(budget, one)).toBe(1)
    now += 3_600_000
    expect(taken(budget, one)).toBe(50)
    // A clock that is set back gives no room, and takes none.
    now -= 10_000
    expect(budget.take(one)).toBe(false)
    now += 1_000
    expect(budget.take(one)).toBe(true)
  })
})
