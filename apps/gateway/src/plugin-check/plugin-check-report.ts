import { printableLines } from '@junctor/primitives'
import type { CheckLine } from './check-line.ts'
import { jsonText } from '../report/json-text.ts'
import { createPaint } from '../report/paint.ts'
import { showsColors } from '../report/shows-colors.ts'

/** Reports the checks of a plugin to its author. */
export interface PluginCheckReport {
  checked(line: CheckLine): void
  /** Last call. */
  done(lines: readonly CheckLine[]): void
}

/** Prints one JSON object at the end. */
export function createJsonPluginReport(stdout: NodeJS.WriteStream): PluginCheckReport {
  return {
    checked() {},
    done(checks) {
      const ok = checks.every(({ state }) => state !== 'failed')
      stdout.write(jsonText({ ok, checks }))
    },
  }
}

const colors = { ok: 'green', warning: 'yellow', failed: 'red', skipped: 'dim' } as const

/** Prints a line for each check when it has ended, with its problems below. */
export function createTextPluginReport(stdout: NodeJS.WriteStream): PluginCheckReport {
  const paint = createPaint(showsColors(stdout))
  return {
    checked({ check, state, about, problems }) {
      stdout.write(`${paint(colors[state], state.padEnd(7))}  ${check.padEnd(9)}  ${printableLines(about)}\n`)
      const indent = ' '.repeat(9)
      for (const { problem, next } of problems) {
        const first = problem === about ? '' : `${indent}${printableLines(problem)}\n`
        stdout.write(`${first}${indent}${paint('dim', printableLines(next))}\n`)
      }
    },
    done(lines) {
      const count = lines.filter(({ state }) => state === 'failed').length
      const skips = lines.filter(({ state }) => state === 'skipped').length
      const left = skips === 0 ? '' : `; ${skips} skipped`
      stdout.write(
        count === 0
          ? `\n${paint('green', 'All is well')}${left}.\n`
          : `\n${paint('red', `${count} of ${lines.length} checks failed`)}${left}.\n`,
      )
    },
  }
}
