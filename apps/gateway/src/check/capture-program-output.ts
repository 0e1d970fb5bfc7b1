import { stripVTControlCharacters } from 'node:util'
import { type Log, silentLog } from '@junctor/contracts'
import { printable } from '@junctor/primitives'

/** Output of a program outside the protocol. It is the only hint why the program does not work. */
export interface ProgramOutput {
  /** The last line of its standard error that says something: the trace, version and notes after an error do not. */
  readonly error: string | undefined
  /** The first line of its standard output that was not a message. */
  readonly noise: string | undefined
  /** The last error that was logged as a warning: the reason of an attempt that is repeated. */
  readonly warned: Error | undefined
}

/** A log that keeps the logged lines of programs; `words` returns those lines as they are at the time of the call. */
export function captureProgramOutput(): { readonly log: Log; readonly words: () => ProgramOutput } {
  let error: string | undefined
  let noise: string | undefined
  let warned: Error | undefined
  const log: Log = {
    ...silentLog,
    info(_message, fields) {
      if (error === undefined || !followsError(fields?.['line'], error)) error = lineOf(fields) ?? error
    },
    warn(_message, fields) {
      noise ??= lineOf(fields)
      if (fields?.['error'] instanceof Error) warned = fields['error']
    },
  }
  return { log, words: () => ({ error, noise, warned }) }
}

/** Whether a line only follows an error: `at main.js:1:1`, `Node.js v24.0.0`, the further lines of npm, a note of Rust. */
function followsError(line: unknown, error: string): boolean {
  if (typeof line !== 'string') return false
  if (/^\s/.test(line)) return /(?:Error|Exception)\b/.test(error)
  if (/^npm (?:error|ERR!|notice)(?: |$)/.test(line))
    return /^npm (?:error|ERR!) (?!code|errno|path|syscall)/.test(error)
  return /^(?:Node\.js v\d|note: run with )/.test(line)
}

/** The line as it can be shown. `undefined`: it has only spaces and punctuation. */
function lineOf(fields: Readonly<Record<string, unknown>> | undefined): string | undefined {
  const line = fields?.['line']
  if (typeof line !== 'string') return undefined
  // Programs color their messages to people.
  const shown = printable(stripVTControlCharacters(line).trim())
  return /[\p{L}\p{N}]/u.test(shown) ? shown : undefined
}
