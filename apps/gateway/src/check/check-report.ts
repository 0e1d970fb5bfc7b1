import { type Problem, renderProblems } from '@junctor/config'
import { createTerminalLine } from '../report/terminal-line.ts'
import type { CheckResult } from './check.ts'
import { countsOf, offeredLists } from './offered-lists.ts'
import type { TriedBackend } from './try-backend.ts'
import { counted } from '../report/counted.ts'
import { jsonText } from '../report/json-text.ts'
import { createPaint, type Paint } from '../report/paint.ts'
import { showsColors } from '../report/shows-colors.ts'

/** The most names on one line. */
const mostNames = 8

/** Reports the progress of `junctor check` to the user. */
export interface CheckReport {
  /** The configuration itself is invalid: no backend is tried. */
  invalid(problems: readonly Problem[]): void
  /** These backends will be tried. */
  starting(names: readonly string[]): void
  /** One of them was tried. */
  tried(backend: TriedBackend): void
  checked(result: CheckResult): void
}

/** Prints one JSON object on standard output at the end. */
export function createJsonCheckReport(stdout: NodeJS.WriteStream): CheckReport {
  const print = (value: object): void => void stdout.write(jsonText(value))
  return {
    invalid: (problems) => print({ valid: false, problems }),
    starting() {},
    tried() {},
    checked: ({ backends, problems, warnings }) =>
      print({ valid: true, backends: backends.map(withoutDefinitions), problems, warnings }),
  }
}

/** The names of the tools are enough, and all warnings are in one list. */
function withoutDefinitions(backend: TriedBackend): object {
  return backend.state === 'up'
    ? { ...backend, definitions: undefined, warnings: warningsOf(backend), unclosed: undefined }
    : backend
}

function warningsOf(backend: TriedBackend): readonly string[] {
  return backend.state === 'up' ? [...backend.warnings, ...backend.unclosed] : []
}

/**
 * Prints a line for each backend on standard output, then the problems. On a terminal, also shows the backends it waits
 * for.
 */
export function createTextCheckReport({ stdout, stderr }: Pick<NodeJS.Process, 'stdout' | 'stderr'>): CheckReport {
  const color = showsColors(stdout)
  const paint = createPaint(color)
  const line = createTerminalLine(stderr)
  const waiting = new Set<string>()
  let longest = 0
  const show = (): void => {
    if (waiting.size === 0) return
    const named = firstOf(waiting, mostNames).join(', ')
    line.show(`Waiting for ${named}${waiting.size > mostNames ? ` and ${waiting.size - mostNames} more` : ''}`)
  }
  return {
    invalid(problems) {
      const count = problems.length === 1 ? 'a problem' : `${problems.length} problems`
      stdout.write(`${renderProblems(problems, { color })}\nThe configuration has ${count}; no backend was tried.\n`)
    },
    starting(names) {
      for (const name of names) waiting.add(name)
      longest = Math.max(0, ...names.map((name) => name.length))
      show()
    },
    tried(backend) {
      waiting.delete(backend.name)
      line.clear()
      stdout.write(`${backendLine(backend, longest, paint)}\n`)
      for (const warning of warningsOf(backend))
        stdout.write(`${paint('yellow', 'warning')} ${backend.name}: ${warning}\n`)
      show()
    },
    checked({ backends, problems, warnings }) {
      for (const warning of warnings) stdout.write(`${paint('yellow', 'warning')} ${warning}\n`)
      if (problems.length > 0) stdout.write(`\n${renderProblems(problems, { color })}`)
      const well = backends.filter(({ state }) => state === 'up').length
      const summary = `${well} of ${backends.length} backends ${well === 1 ? 'is' : 'are'} well`
      const all = problems.length === 0
      const warned = warnings.length + backends.flatMap((backend) => warningsOf(backend)).length
      const good =
        warned === 0
          ? paint('green', `All is well: ${summary}`)
          : paint('yellow', `No problems, ${counted(warned, 'warning')}: ${summary}`)
      const others = problems.length === 1 ? 'a problem' : `${problems.length} problems`
      const notWell = well === backends.length ? `${summary}, but the configuration has ${others}` : summary
      if (backends.length === 0) stdout.write('The configuration is right; it has no backends. Add one: junctor add\n')
      else stdout.write(`\n${all ? good : paint('red', notWell)}.\n`)
    },
  }
}

/** Reads no more names than needed, because this runs once for each backend. */
function firstOf(names: Iterable<string>, most: number): readonly string[] {
  const first: string[] = []
  for (const name of names) {
    if (first.length === most) break
    first.push(name)
  }
  return first
}

function backendLine(backend: TriedBackend, longest: number, paint: Paint): string {
  const name = paint('bold', backend.name.padEnd(longest))
  if (backend.state === 'failed') return `${paint('red', 'failed')}  ${name}  ${backend.diagnosis.got}`
  const { revision, server, tookMs } = backend
  const { tool, ...others } = offeredLists(backend)
  const words = [
    counted(tool.length, 'tool'),
    ...countsOf(others),
    ...[revision, server].filter((word) => word !== undefined),
    `${Math.round(tookMs)} ms`,
  ]
  return `${paint('green', 'up')}      ${name}  ${words.join(', ')}`
}
