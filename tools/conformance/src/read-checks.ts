import { readFileSync, readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** The used part of a suite's output for one check. */
interface Check {
  readonly id: string
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'INFO' | 'SKIPPED'
  readonly errorMessage?: string
}

/** The findings of one run of a suite. */
export interface Findings {
  readonly passed: number
  /** Each as `scenario / check: reason`. */
  readonly failures: readonly string[]
  /** Violations of recommendations. */
  readonly warnings: readonly string[]
}

/**
 * Reads the output folder of a suite: one folder for each scenario, also in folders of groups, with `checks.json`.
 *
 * @param unscored the scenarios that do not count. Default: all count
 */
export function readChecks(folder: string, unscored?: RegExp): Findings {
  const scenarios = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => basename(file) === 'checks.json')
    .map((file) => dirname(file))
    .filter((scenario) => unscored?.test(scenario) !== true)
  const checks = scenarios.flatMap((scenario) => {
    const written = JSON.parse(readFileSync(join(folder, scenario, 'checks.json'), 'utf8')) as Check[]
    return written.map((check) => ({ ...check, scenario: scenario.replace(timeForm, '') }))
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

/** The suffix that the suites append to a scenario's name. */
const timeForm = /-\d{4}-\d\d-\d\dT[-\dZ]+$/
