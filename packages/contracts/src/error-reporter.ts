import { PacedCounts } from '@junctor/primitives'
import { situationOf } from '@junctor/protocol'
import type { Emit } from './telemetry-event.ts'
import type { Log } from './log.ts'
import type { ErrorPlace } from './error-place.ts'

/**
 * Called with an error that a loop has caught, so that the loop continues with its next item. Logs the error and counts
 * it. Never throws.
 *
 * @param about the context of the error: the id of an exchange, a subject
 */
export type ErrorReporter = (where: ErrorPlace, error: unknown, about?: Readonly<Record<string, unknown>>) => void

/**
 * Creates an `ErrorReporter` that writes to the log and reports the event `internal_error`. An unavailable fabric is not
 * a fault of this program: it is logged as a warning, and the storage counters count it. Clients decide how many requests
 * meet that, so each place logs it at most once a minute, with the number of errors.
 */
export function createErrorReporter(log: Log, emit: Emit): ErrorReporter {
  const unavailable = new PacedCounts<ErrorPlace>()
  return (where, error, about) => {
    if (situationOf(error) === 'fabric_unavailable') {
      const errors = unavailable.add(where)
      if (errors !== undefined) log.warn('the fabric does not answer, or refuses', { where, ...about, error, errors })
      return
    }
    log.error('an internal error was caught; all else goes on', { where, ...about, error })
    emit({ kind: 'internal_error', where })
  }
}
