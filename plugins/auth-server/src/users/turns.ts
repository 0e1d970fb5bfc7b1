/** Runs tasks, some at the same time. `undefined`: too many wait already, and the task is not run. */
export type TakeTurn = <T>(task: () => Promise<T>) => Promise<T> | undefined

/**
 * Creates a queue of tasks.
 *
 * @param most how many run at the same time
 * @param mostWaiting how many wait for others, in the order in which they came
 */
export function createTurns(most: number, mostWaiting: number): TakeTurn {
  const waiting: (() => void)[] = []
  let running = 0

  async function inTurn<T>(task: () => Promise<T>): Promise<T> {
    if (running < most) running += 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await task()
    } finally {
      const next = waiting.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }

  return (task) => (running >= most && waiting.length >= mostWaiting ? undefined : inTurn(task))
}
