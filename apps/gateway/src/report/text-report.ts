import { printable } from '@junctor/primitives'
import { renderProblems } from '@junctor/config'
import type { LineOutput } from '@junctor/command'
import type { Ready, ReadyAdmin, Report, StartedBackend } from './report.ts'
import { counted } from './counted.ts'
import { createPaint, type Paint } from './paint.ts'

/** The most tools of one backend that are listed; more are only counted. */
const mostTools = 24

/** The most characters of a failure message. */
const mostCharacters = 1000

/** Columns of the list of tools, including indentation. */
const width = 100

/** The report for people. `note` prints a line for information; the command continues after it. */
export function createTextReport(output: LineOutput, color: boolean): Report & { note(text: string): void } {
  const paint = createPaint(color)
  return {
    starting(backends) {
      if (backends.length > 0) output.write(`Starting ${backends.join(', ')}\n`)
    },
    ready(ready) {
      output.write(readyText(ready, paint))
    },
    invalid(problems) {
      const count = problems.length === 1 ? 'a problem' : `${problems.length} problems`
      output.write(`${renderProblems(problems, { color })}\nThe configuration has ${count}; nothing was started.\n`)
    },
    note(text) {
      output.write(`${paint('yellow', `junctor: ${printable(text, mostCharacters)}`)}\n`)
    },
    failed({ message, next }) {
      output.write(`${paint('red', `junctor: ${printable(message, mostCharacters)}`)}\n  ${next}\n`)
    },
  }
}

function readyText({ http, admin, backends, example }: Ready, paint: Paint): string {
  const longest = Math.max(0, ...backends.map(({ name }) => name.length))
  const lines = backends.flatMap((backend) => backendLines(backend, longest, paint))
  const tryIt = example === undefined ? [] : ['', 'Try it in another terminal:', `  ${example}`]
  const inside = admin === undefined ? [] : ['', ...adminLines(admin)]
  const where = http === undefined ? 'standard input and output' : paint('bold', http)
  const empty =
    http !== undefined && backends.length === 0 ? ['The configuration has no backends. Add one: junctor add'] : []
  const before = [...empty, ...lines, ...tryIt, ...inside]
  return [...before, ...(before.length > 0 ? [''] : []), `${paint('green', 'Ready')} on ${where}`, ''].join('\n')
}

function adminLines({ url, command }: ReadyAdmin): readonly string[] {
  if (command !== undefined) return ['Look inside:', `  ${command}`]
  return [`Probes and metrics are at ${url}; status and events want listen.admin.token to be set.`]
}

function backendLines(backend: StartedBackend, longest: number, paint: Paint): string[] {
  const { name, state, tools, failure } = backend
  const head = `  ${paint('bold', name.padEnd(longest))}  `
  const indent = ' '.repeat(longest + 4)
  if (failure !== undefined) {
    return [
      `${head}${paint('red', state.replace('_', ' '))}  ${printable(failure.message)}`,
      `${indent}${failure.next}`,
    ]
  }
  if (state === 'starting') return [`${head}${paint('yellow', 'still starting')}`]
  const count = counted(tools.length, 'tool')
  const more = tools.length > mostTools ? [`and ${tools.length - mostTools} more`] : []
  const listed = wrap([...tools.slice(0, mostTools).map((tool) => printable(tool)), ...more], width - indent.length)
  const warning = warningLine(backend, paint).map((line) => `${indent}${line}`)
  return [
    `${head}${paint('green', state)}  ${count}`,
    ...listed.map((line) => `${indent}${paint('dim', line)}`),
    ...warning,
  ]
}

/** The first warning, because the log has them all: "0 tools" alone would hide that the list of tools failed. */
function warningLine({ warnings: [first, ...others] }: StartedBackend, paint: Paint): readonly string[] {
  if (first === undefined) return []
  const more = others.length > 0 ? ` (and ${others.length} more: junctor check)` : ''
  return [`${paint('yellow', 'warning')}  ${printable(first, mostCharacters)}${more}`]
}

/** Words with commas between them, in lines of at most this many columns. */
function wrap(words: readonly string[], columns: number): readonly string[] {
  const lines: string[] = []
  for (const word of words) {
    const last = lines.at(-1)
    if (last === undefined || last.length + word.length + 2 > columns) lines.push(word)
    else lines[lines.length - 1] = `${last}, ${word}`
  }
  return lines.map((line, index) => (index < lines.length - 1 ? `${line},` : line))
}
