import { PacedCounts } from '@junctor/primitives'
import { situationOf } from '@junctor/protocol'
import type { Log } from './log.ts'

/**
 * A log for what requests of clients and jobs meet while the fabric does not answer. Their number decides how many such
 * warnings and errors there are, so each message is written at most once a minute, with the number of lines that it stands
 * for. All else is written as it is.
 */
export function pacedOutages(log: Log): Log {
  const paced = new PacedCounts<string>()
  const write = (level: 'warn' | 'error'): Log['warn'] => {
    return (message, fields) => {
      if (situationOf(fields?.['error']) !== 'fabric_unavailable') return log[level](message, fields)
      const lines = paced.add(message)
      return lines === undefined ? undefined : log[level](message, { ...fields, lines })
    }
  }
  return {
    debug: (message, fields) => log.debug(message, fields),
    info: (message, fields) => log.info(message, fields),
    warn: write('warn'),
    error: write('error'),
  }
}
