import { writeFileSync } from 'node:fs'
import type { Reporter, TestModule } from 'vitest/node'

/** The result of one test run. */
export interface Counts {
  passed: number
  failed: number
  skipped: number
  /** The files with failed tests, absolute. Absent: a failure was outside of a file, so that none can be repeated. */
  failedFiles?: readonly string[]
}

/** Counts tests. A failure outside a test counts as one failure: a file that does not load, an unhandled error. */
export function countTests(modules: readonly TestModule[], errors: readonly unknown[]): Counts {
  const counts: Counts = { passed: 0, failed: errors.length, skipped: 0 }
  if (errors.length === 0) {
    counts.failedFiles = modules.filter((module) => module.state() === 'failed').map(({ moduleId }) => moduleId)
  }
  for (const module of modules) {
    if (module.state() === 'failed' && module.children.allTests('failed').next().done === true) counts.failed += 1
    for (const test of module.children.allTests()) {
      const { state } = test.result()
      if (state === 'passed') counts.passed += 1
      else if (state === 'failed') counts.failed += 1
      else counts.skipped += 1
    }
  }
  return counts
}

/** Writes the totals to the file that the test command names in TEST_COUNTS; without it, does nothing. */
class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const file = process.env['TEST_COUNTS']
    if (file !== undefined) writeFileSync(file, JSON.stringify(countTests(modules, errors)))
  }
}

export default CountReporter
