import type { Caught } from '@junctor/contracts'

/** Does each chore time and again, until what is returned is called. A chore that fails keeps none of the others from being done. */
export function startHousekeeping(chores: readonly (() => void)[], everyMs: number, caught: Caught): () => void {
  const timer = setInterval(() => {
    for (const chore of chores) {
      try {
        chore()
      } catch (error) {
        caught('timer', error)
      }
    }
  }, everyMs).unref()
  return () => clearInterval(timer)
}
