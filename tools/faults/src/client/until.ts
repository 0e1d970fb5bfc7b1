import { setTimeout as after } from 'node:timers/promises'

/** Long enough for a busy machine. */
const timeoutMs = 30_000

/** Waits until a check returns a value, and returns that. Rejects after a timeout, with the name of the condition. */
export async function until<Value>(
  what: string,
  check: () => Value | Promise<Value>,
  ms: number = timeoutMs,
): Promise<NonNullable<Value>> {
  const deadline = performance.now() + ms
  for (;;) {
    // Each attempt comes after the previous one.
    // oxlint-disable-next-line no-await-in-loop
    const value = await check()
    if (value !== undefined && value !== null && value !== false) return value
    if (performance.now() >= deadline) throw new Error(`Expected ${what} within ${ms} ms`)
    // oxlint-disable-next-line no-await-in-loop
    await after(5)
  }
}
