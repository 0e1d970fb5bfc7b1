import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** What a suite writes of each thing it looked at, as far as it is read here. */
interface Check {
  readonly id: string
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'INFO' | 'SKIPPED'
  readonly errorMessage?: string
}

/** What a run of a suite found. */
export interface Findings {
  readonly passed: number
  /** Each as `scenario / check: reason`. */
  readonly failures: readonly string[]
  /** What should be, but need not. */
  readonly warnings: readonly string[]
}

/** Reads what a suite wrote to its output folder: one folder for each scenario, with `checks.json`. */
export function readChecks(folder: string): Findings {
  const checks = readdirSync(folder).flatMap((scenario) => {
    const written = JSON.parse(readFileSync(join(folder, scenario, 'checks.json'), 'utf8')) as Check[]
    return written.map((check) => ({ ...check, scenario: scenario.replace(TIME, '') }))
  })
  const named = (status: Check['status']): string[] =>
    checks
      .filter((check) => check.status === status)
      .map(({ scenario, id, errorMessage = 'no reason given' }) => `${scenario} / ${id}: ${errorMessage}`)
  return {
    passed: checks.filter(({ status }) => status === 'SUCCESS').length,
    failures: named('FAILURE'),
    warnings: named('WARNING'),
  }
}

/** What the suites put behind a scenario's name. */
const TIME = /-\d{4}-\d\d-\d\dT[-\dZ]+$/
