import { inspect } from 'node:util'
import type { Log } from '@junctor/contracts'

/** Passes records on, and keeps them: what a log at its most talkative level would write, errors with their causes. */
export function watchedLog(behind: Log, keep: (line: string) => void): Log {
  const at =
    (level: keyof Log): Log['info'] =>
    (message, fields = {}) => {
      keep(`${level} ${message} ${inspect(fields, { depth: 8, maxStringLength: Infinity, breakLength: Infinity })}\n`)
      behind[level](message, fields)
    }
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
}
