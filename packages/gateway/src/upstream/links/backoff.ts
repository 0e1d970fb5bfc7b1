/** How a backend's attempts to open have gone. */
export interface Attempts {
  /** Failures in a row: opens that failed, links that broke young. */
  readonly failures: number
  /** Epoch milliseconds before which no further attempt is made. */
  readonly notBefore: number
}

export const noAttempts: Attempts = { failures: 0, notBefore: 0 }

/** From this many failures in a row a backend counts as crash-looping. It is still tried, at the longest pause. */
export const crashLoopFailures = 5

const firstPauseMs = 500
const longestPauseMs = 30_000
/** A link that lived this long was healthy: its end starts a new count. In milliseconds. */
export const healthyMs = 60_000

/**
 * The state after a failure: the pause doubles from half a second to half a minute. Jitter takes up to half of it off,
 * so that many nodes do not come back at once.
 *
 * @param livedMs how long the link had been open; 0 when it never opened
 * @param random a number in [0, 1)
 */
export function afterFailure(attempts: Attempts, now: number, livedMs: number, random: number): Attempts {
  const failures = livedMs >= healthyMs ? 1 : attempts.failures + 1
  const pause = Math.min(longestPauseMs, firstPauseMs * 2 ** (failures - 1))
  return { failures, notBefore: now + pause * (1 - random / 2) }
}
