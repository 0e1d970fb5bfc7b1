import { JunctorError } from '@junctor/protocol'
import type { Tell } from './fact.ts'
import type { Log } from './log.ts'
import type { Workplace } from './workplace.ts'

/**
 * Told of an error that a loop has caught, so that it goes on with its next item: logged as an error and counted. Never
 * throws.
 *
 * @param about what it was about: an exchange's id, a subject
 */
export type Caught = (where: Workplace, error: unknown, about?: Readonly<Record<string, unknown>>) => void

/**
 * One that writes to a log and tells the fact. That what nodes share does not answer is no fault of this program: it is a
 * warning, and counted where storage is.
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
