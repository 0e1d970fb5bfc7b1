import type { Caught } from '@junctor/contracts'

/**
 * Runs each chore every `everyMs` milliseconds. A chore that throws does not stop the others: `caught` gets its error.
 *
 * @returns stops the chores
 */
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
