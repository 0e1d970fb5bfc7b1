import type { Report } from '../report/report.ts'
import { optionProblem } from './option-problem.ts'

/**
 * A report for the author of a plugin.
 *
 * @param made the backend of a configuration that was made for the plugin; `undefined`: the author has a file
 */
export function pluginReport(report: Report, made: string | undefined): Report {
  if (made === undefined) return report
  return {
    ...report,
    invalid(problems) {
      for (const problem of problems) report.failed(optionProblem(problem, made))
    },
  }
}
