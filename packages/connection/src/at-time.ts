/** The longest delay of a timer, in milliseconds: a timer with a longer one fires at once. */
export const longestTimerMs: number = 2 ** 31 - 1

/**
 * Calls `act` once at a time (epoch milliseconds), also when the time is months ahead. A time in the past calls it in
 * the next turn of the event loop.
 *
 * @param failed called with an error that `act` throws
 * @returns cancels the call; idempotent
 */
export function atTime(time: number, act: () => void, failed: (error: unknown) => void): () => void {
  let timer: ReturnType<typeof setTimeout>
  const guarded = (): void => {
    try {
      act()
    } catch (error) {
      failed(error)
    }
  }
  const wait = (): void => {
    const leftMs = time - Date.now()
    timer = leftMs > longestTimerMs ? setTimeout(wait, longestTimerMs) : setTimeout(guarded, leftMs)
  }
  wait()
  return () => clearTimeout(timer)
}
