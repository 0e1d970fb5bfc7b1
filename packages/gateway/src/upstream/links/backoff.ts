/** The failed attempts to open links of a backend. */
export interface Attempts {
  /** Failures in a row: failed opens, and links that broke early. Opens that failed at the same time are one. */
  readonly failures: number
  /** Milliseconds, by the clock of the caller, before which there is no further attempt. */
  readonly notBefore: number
}

/** Before the first attempt. */
export const noAttempts: Attempts = { failures: 0, notBefore: 0 }

/** From this many failures in a row, a backend counts as crash-looping. It is still tried, with the longest pause. */
export const crashLoopFailures = 5

/** The first pause of a backend that does not open, in milliseconds. */
const firstPauseMs = 500
const longestPauseMs = 30_000
/** A link that was open this long was healthy: its end starts a new count. In milliseconds. */
export const healthyMs = 60_000

/** The pause after this many failures in a row, in milliseconds. It doubles from the first pause to half a minute. */
export function pauseAfter(failures: number, firstMs: number): number {
  return Math.min(longestPauseMs, firstMs * 2 ** (failures - 1))
}

/**
 * The state after a failure. The pause doubles from half a second to half a minute. Jitter reduces it by up to half, so
 * that many nodes do not try at the same time.
 *
 * @param livedMs how long the link had been open; 0 when it never opened
 * @param random a number in [0, 1)
 */
export function afterFailure(attempts: Attempts, now: number, livedMs: number, random: number): Attempts {
  const failures = livedMs >= healthyMs ? 1 : attempts.failures + 1
  const pause = pauseAfter(failures, firstPauseMs)
  return { failures, notBefore: now + pause * (1 - random / 2) }
}
