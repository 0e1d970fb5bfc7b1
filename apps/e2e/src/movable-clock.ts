import { onTestFinished, vi } from 'vitest'

/** The clock of everything in this process, for one test. */
export interface MovableClock {
  /** Moves `Date.now` forward. Timers do not notice. */
  forward(ms: number): void
}

/** Takes over the clock until the test ends. Call it before anything is started. */
export function movableClock(): MovableClock {
  const real = Date.now.bind(Date)
  let aheadMs = 0
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => real() + aheadMs)
  onTestFinished(() => clock.mockRestore())
  return {
    forward(ms) {
      aheadMs += ms
    },
  }
}
