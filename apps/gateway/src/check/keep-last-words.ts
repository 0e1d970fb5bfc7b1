import { stripVTControlCharacters } from 'node:util'
import { type Log, silentLog } from '@junctor/contracts'
import { printable } from '@junctor/primitives'

/** What a program said beside the protocol, which is all that it tells of why it does not work. */
export interface LastWords {
  /** The last line of its standard error that says something. */
  readonly error: string | undefined
  /** The first line of its standard output that was no message. */
  readonly noise: string | undefined
}

/** A log that keeps what is said of programs' lines, and those words, as they are at the time of the call. */
export function keepLastWords(): { readonly log: Log; readonly words: () => LastWords } {
  let error: string | undefined
  let noise: string | undefined
  const log: Log = {
    ...silentLog,
    info(_message, fields) {
      error = lineOf(fields) ?? error
    },
    warn(_message, fields) {
      noise ??= lineOf(fields)
    },
  }
  return { log, words: () => ({ error, noise }) }
}

/** One that can be shown; `undefined` when there is nothing in it but space and brackets. */
function lineOf(fields: Readonly<Record<string, unknown>> | undefined): string | undefined {
  const line = fields?.['line']
  if (typeof line !== 'string') return undefined
  // Programs color what they say to people.
  const shown = printable(stripVTControlCharacters(line).trim())
  return /[\p{L}\p{N}]/u.test(shown) ? shown : undefined
}
