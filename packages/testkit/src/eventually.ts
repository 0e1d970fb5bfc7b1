import { setTimeout as after } from 'node:timers/promises'

/** How long a test waits for an event, in milliseconds: machines that run tests are busy. */
const timeoutMs = 10_000
const betweenMs = 5

/**
 * Waits until a check no longer throws, and returns its result. Rejects with its last error. Needs no test runner.
 *
 * @param ms timeout in milliseconds; default 10 seconds
 */
export async function eventually<Value>(check: () => Value | Promise<Value>, ms: number = timeoutMs): Promise<Value> {
  const deadline = performance.now() + ms
  for (;;) {
    try {
      // Each attempt comes after the previous one.
      // oxlint-disable-next-line no-await-in-loop
      return await check()
    } catch (error) {
      if (performance.now() >= deadline) throw error
      // oxlint-disable-next-line no-await-in-loop
      await after(betweenMs)
    }
  }
}
