/**
 * Epoch milliseconds that pass evenly: the system's time at the start of the process, and what has passed since. Unlike
 * `Date.now`, it does not jump when the system's clock is set. For deadlines and pauses; dates that others have written
 * are compared with `Date.now`.
 */
export function steadyTime(): number {
  return Math.floor(timeOrigin + performance.now())
}

/** Reading it costs as much as reading the clock, and it never changes. */
const { timeOrigin } = performance
