import { JunctorError } from '@junctor/protocol'
import type { Tell } from './fact.ts'
import type { Log } from './log.ts'
import type { Workplace } from './workplace.ts'

/**
 * Called with an error that a loop has caught, so that the loop continues with its next item. Logs the error and counts
 * it. Never throws.
 *
 * @param about the context of the error: the id of an exchange, a subject
 */
export type Caught = (where: Workplace, error: unknown, about?: Readonly<Record<string, unknown>>) => void

/**
 * Creates a `Caught` that writes to the log and reports the fact `internal_error`. An unavailable fabric is not a fault
 * of this program: it is logged as a warning, and the storage counters count it.
 */
export function createCaught(log: Log, tell: Tell): Caught {
  return (where, error, about) => {
    if (error instanceof JunctorError && error.code === 'FABRIC_UNAVAILABLE') {
      log.warn('something needs what nodes share, which does not answer', { where, ...about, error })
      return
    }
    log.error('an internal error was caught; all else goes on', { where, ...about, error })
    tell({ kind: 'internal_error', where })
  }
}
