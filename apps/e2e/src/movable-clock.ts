import { onTestFinished, vi } from 'vitest'

/** The clocks of everything in this process, for one test. */
export interface MovableClock {
  /** Lets time pass: moves the system's clock and the steady one. Timers do not notice. */
  forward(ms: number): void
  /** Sets the system's clock forward, or back, as an administrator does: no time passes. */
  set(aheadMs: number): void
}

/** Takes over the clocks until the test ends. Call it before anything is started. */
export function movableClock(): MovableClock {
  const real = { system: Date.now.bind(Date), steady: performance.now.bind(performance) }
  let passedMs = 0
  let aheadMs = 0
  const clocks = [
    vi.spyOn(Date, 'now').mockImplementation(() => real.system() + passedMs + aheadMs),
    vi.spyOn(performance, 'now').mockImplementation(() => real.steady() + passedMs),
  ]
  onTestFinished(() => {
    for (const clock of clocks) clock.mockRestore()
  })
  return {
    forward(ms) {
      passedMs += ms
    },
    set(ms) {
      aheadMs = ms
    },
  }
}
