import { longestTimerMs } from '@junctor/connection'

const firstPauseMs = 250
/** A server that closes its stream at once and names no pause would otherwise get a thousand requests a second. */
const shortestPauseMs = 100
const longestPauseMs = 30_000

/**
 * How long to wait before requesting a broken stream again, in milliseconds.
 *
 * The server's `retry` is the minimum (2025-11-25: MUST be respected), and at least 100 ms. Each attempt without an
 * event doubles the pause, up to 30 seconds. Up to a tenth is added, so that the clients of one server do not reconnect
 * at the same time.
 *
 * @param attempt 1 for the first attempt since the last event
 * @param retryMs the value of the server's `retry` field, if it sent one
 * @param random a number in [0, 1)
 */
export function reconnectDelay(attempt: number, retryMs: number | undefined, random: number): number {
  const least = Math.max(shortestPauseMs, retryMs ?? firstPauseMs)
  const pause = Math.max(least, Math.min(longestPauseMs, least * 2 ** (attempt - 1)))
  return Math.min(longestTimerMs, Math.round(pause * (1 + random / 10)))
}
