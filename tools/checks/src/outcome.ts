import type { Counts } from './count-reporter.ts'

/** The totals of a run that the last line prints and that decide the exit code. */
export type RunOutcome = Readonly<Counts>

/**
 * The outcome of a run from its exit code and the totals it wrote. A run with a non-zero exit code always has at least
 * one failure: a run without totals crashed, a run without a counted failure found another fault (coverage, or no tests
 * at all).
 */
export function settle(code: number | null, written: string | undefined): RunOutcome {
  const counts = parseCounts(written)
  if (counts === undefined) return { passed: 0, failed: 1, skipped: 0 }
  return code !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts
}

function parseCounts(written: string | undefined): Counts | undefined {
  if (written === undefined) return undefined
  try {
    return JSON.parse(written) as Counts
  } catch {
    return undefined
  }
}

/** The most files with failures that are repeated: with more, it is not the machine. */
const mostRepeated = 3

/**
 * The files that are run once more, alone, to tell a fault from a test that a busy machine disturbed. None when nothing
 * failed, when too much failed, or when a failure belongs to no file.
 */
export function filesToRepeat({ failed, failedFiles = [] }: RunOutcome): readonly string[] {
  return failed > 0 && failedFiles.length <= mostRepeated ? failedFiles : []
}

/** The outcome of a run whose failed files were run once more. */
export function afterRepeat(first: RunOutcome, second: RunOutcome): RunOutcome {
  const { passed, failed, skipped } = first
  return { passed: passed + Math.max(0, failed - second.failed), failed: second.failed, skipped }
}

/** `N passed, N failed`, and the skipped ones only when there are any. */
export function summary({ passed, failed, skipped }: RunOutcome): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}
