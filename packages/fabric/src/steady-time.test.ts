import { expect, onTestFinished, test, vi } from 'vitest'
import { steadyTime } from './steady-time.ts'

test('it is the time of the system, and passes evenly when the clock of the system is set', () => {
  const before = steadyTime()
  expect(Number.isInteger(before)).toBe(true)
  expect(Math.abs(before - Date.now())).toBeLessThan(60_000)
  const clock = vi.spyOn(Date, 'now').mockReturnValue(0)
  onTestFinished(() => clock.mockRestore())
  expect(steadyTime()).toBeGreaterThanOrEqual(before)
})
