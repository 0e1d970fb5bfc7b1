import { inspect } from 'node:util'
import type { Log } from '@junctor/contracts'

/** A log whose records are kept as text too, with all that they hold. */
export interface WatchedLog {
  readonly log: Log
  readonly lines: readonly string[]
}

/** Passes records on, and keeps them: what a log at its most talkative level would write, errors with their causes. */
export function watchLog(behind: Log): WatchedLog {
  const lines: string[] = []
  const keep =
    (level: keyof Log): Log['info'] =>
    (message, fields = {}) => {
      lines.push(
        `${level} ${message} ${inspect(fields, { depth: 8, maxStringLength: Infinity, breakLength: Infinity })}`,
      )
      behind[level](message, fields)
    }
  return { log: { debug: keep('debug'), info: keep('info'), warn: keep('warn'), error: keep('error') }, lines }
}
