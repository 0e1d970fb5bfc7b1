import { printableLines } from '@junctor/primitives'
import type { LineOutput } from '@junctor/command'
import type { Report } from './report.ts'

/** The report for programs: one line at the end of the start. */
export function createJsonReport(output: LineOutput): Report {
  const line = (value: object): void => output.write(`${printableLines(JSON.stringify(value))}\n`)
  return {
    starting() {},
    ready({ node, http, admin, backends }) {
      const where = http === undefined ? { stdio: true } : { http }
      line({ ready: true, ...where, ...(admin && { admin: admin.url }), node, backends })
    },
    invalid(problems) {
      line({ ready: false, problems })
    },
    failed({ message, next }) {
      line({ ready: false, error: message, next })
    },
  }
}
