import type { ErrorReporter } from '@junctor/contracts'
import { eachGuarded } from './each-guarded.ts'

/**
 * Runs each chore every `everyMs` milliseconds. A chore that throws does not stop the others: `reportError` gets its error.
 *
 * @returns stops the chores
 */
export function runPeriodically(
  chores: readonly (() => void)[],
  everyMs: number,
  reportError: ErrorReporter,
): () => void {
  const failed = (error: unknown): void => reportError('timer', error)
  const timer = setInterval(() => eachGuarded(chores, (chore) => chore(), failed), everyMs).unref()
  return () => clearInterval(timer)
}
