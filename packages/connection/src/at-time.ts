/** The longest time that a timer can be set to, in milliseconds: longer ones are set again. */
const longestTimerMs = 2 ** 31 - 1

/**
 * Acts once at a time (epoch milliseconds), however far away it is; in the next turn when it is over.
 *
 * @param failed told of what it throws
 * @returns takes it back; idempotent
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
