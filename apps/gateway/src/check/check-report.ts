import { styleText } from 'node:util'
import { renderProblems } from '@junctor/config'
import type { Checked } from './check.ts'
import type { CheckedBackend } from './check-backend.ts'

/** Tells whoever runs `junctor check` how it goes. */
export interface CheckReport {
  /** So many backends are going to be tried. */
  starting(count: number): void
  /** One of them has been. */
  readonly tried: (backend: CheckedBackend) => void
  checked(result: Checked): void
}

/** Results go to standard output, and on a terminal what is being waited for to standard error. */
export function createCheckReport(
  { stdout, stderr }: Pick<NodeJS.Process, 'stdout' | 'stderr'>,
  json: boolean,
): CheckReport {
  const color = stdout.isTTY && stdout.hasColors()
  const paint = (format: 'green' | 'red', text: string): string =>
    color ? styleText(format, text, { validateStream: false }) : text
  let all = 0
  let done = 0
  const wait = (): void => {
    if (stderr.isTTY && !json) stderr.write(done < all ? `\r\u001b[K${done} of ${all} backends` : '\r\u001b[K')
  }
  return {
    starting(count) {
      all = count
      wait()
    },
    tried(backend) {
      done += 1
      if (stderr.isTTY && !json) stderr.write('\r\u001b[K')
      if (!json) stdout.write(`${lineOf(backend, paint)}\n`)
      wait()
    },
    checked({ backends, problems }) {
      if (json) {
        stdout.write(`${JSON.stringify({ valid: true, backends, problems }, null, 2)}\n`)
        return
      }
      if (problems.length > 0) stdout.write(`\n${renderProblems(problems, { color })}`)
      const well = backends.filter(({ kind }) => kind === 'up').length
      const summary = `${well} of ${backends.length} backends are well`
      stdout.write(`\n${problems.length === 0 ? paint('green', `All is well: ${summary}`) : paint('red', summary)}.\n`)
    },
  }
}

function lineOf(backend: CheckedBackend, paint: (format: 'green' | 'red', text: string) => string): string {
  if (backend.kind === 'failed') return `${paint('red', 'failed')}  ${backend.name}  ${backend.got}`
  const count = backend.tools.length === 1 ? '1 tool' : `${backend.tools.length} tools`
  return `${paint('green', 'up')}      ${backend.name}  ${count}, ${Math.round(backend.tookMs)} ms`
}
