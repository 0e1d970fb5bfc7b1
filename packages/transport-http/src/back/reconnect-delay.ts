const firstPauseMs = 250
const longestPauseMs = 30_000
/** Timers take no more than this; more would fire at once. */
const timerLimitMs = 2 ** 31 - 1

/**
 * How long to wait before a broken stream is asked for again, in milliseconds.
 *
 * The server's `retry` is the least pause there is (2025-11-25: MUST be respected). Each attempt that brought nothing
 * doubles the pause, up to half a minute; up to a tenth is added, so that clients of one server do not come back at once.
 *
 * @param attempt 1 for the first since the stream last brought something
 * @param retryMs what the server's `retry` field said, if it did
 * @param random a number in [0, 1)
 */
export function reconnectDelay(attempt: number, retryMs: number | undefined, random: number): number {
  const least = retryMs ?? firstPauseMs
  const pause = Math.max(least, Math.min(longestPauseMs, least * 2 ** (attempt - 1)))
  return Math.min(timerLimitMs, Math.round(pause * (1 + random / 10)))
}
