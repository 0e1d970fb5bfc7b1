import { expect, test } from 'vitest'
import { reconnectDelay } from './reconnect-delay.ts'

test.each([
  [1, undefined, 250],
  [2, undefined, 500],
  [4, undefined, 2000],
  [20, undefined, 30_000],
  [1, 500, 500],
  [3, 500, 2000],
  [1, 0, 100],
  [2, 0, 200],
  [1, 100, 100],
  [1, 90_000, 90_000],
  [5, 90_000, 90_000],
  [1, 1e15, 2 ** 31 - 1],
])('attempt %i with retry %s waits %i ms', (attempt, retryMs, ms) => {
  expect(reconnectDelay(attempt, retryMs, 0)).toBe(ms)
})

test('jitter adds at most a tenth, and never subtracts', () => {
  expect(reconnectDelay(1, 500, 0.999)).toBe(550)
})
