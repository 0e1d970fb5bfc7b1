import { setTimeout as after } from 'node:timers/promises'

/** Time for something to happen that a test waits for, in milliseconds: machines that run tests are busy. */
const patienceMs = 10_000
const betweenMs = 5

/**
 * Waits until a check no longer throws, and gives what it returned. Rejects with its last error. Needs no test runner.
 *
 * @param ms for how long, in milliseconds; 10 seconds
 */
export async function eventually<Value>(check: () => Value | Promise<Value>, ms: number = patienceMs): Promise<Value> {
  const deadline = performance.now() + ms
  for (;;) {
    try {
      // Each look comes after the one before.
      // oxlint-disable-next-line no-await-in-loop
      return await check()
    } catch (error) {
      if (performance.now() >= deadline) throw error
      // oxlint-disable-next-line no-await-in-loop
      await after(betweenMs)
    }
  }
}
