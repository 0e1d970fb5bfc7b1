import { vi } from 'vitest'

/** Time for something to happen that a test waits for, in milliseconds: machines that run tests are busy. */
const patienceMs = 10_000

/** Waits until a check no longer throws, and gives what it returned. Rejects with its last error. */
export function eventually<Value>(check: () => Value | Promise<Value>): Promise<Value> {
  return vi.waitFor(check, { timeout: patienceMs, interval: 5 })
}
