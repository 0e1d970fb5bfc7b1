import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Poll } from './poll.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('a task that was asked for again runs soon, although the clock of the system was set back', async () => {
  let runs = 0
  const poll = new Poll(async () => (runs += 1) > 0, 30_000)
  await poll.now()
  vi.setSystemTime(Date.now() - 3_600_000)
  poll.again()
  await vi.advanceTimersByTimeAsync(1_000)
  poll.stop()
  expect(runs).toBe(2)
})
