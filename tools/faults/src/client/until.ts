import { setTimeout as after } from 'node:timers/promises'

/** Long enough for a machine that does other things too. */
const patienceMs = 30_000

/** Waits until a check gives something, and gives that. Rejects, saying what was waited for, when it never does. */
export async function until<Value>(
  what: string,
  check: () => Value | Promise<Value>,
  ms: number = patienceMs,
): Promise<NonNullable<Value>> {
  const deadline = performance.now() + ms
  for (;;) {
    // Each look comes after the one before.
    // oxlint-disable-next-line no-await-in-loop
    const value = await check()
    if (value !== undefined && value !== null && value !== false) return value
    if (performance.now() >= deadline) throw new Error(`Expected ${what} within ${ms} ms`)
    // oxlint-disable-next-line no-await-in-loop
    await after(5)
  }
}
