import { PacedCounts } from '@junctor/primitives'
import type { Log } from './log.ts'

/** Warns of something for a reason. */
export type PacedWarning = (reason: string) => void

/**
 * Creates a warning about something that every request may meet: logged at the first one, and then once a minute with their
 * number. Anybody can send requests and tokens, so that they could fill the log.
 *
 * @param message the line of the log
 * @param counted what met it, which is the name of the field with the number
 */
export function createPacedWarning(
  log: Pick<Log, 'warn'>,
  message: string,
  counted: 'requests' | 'tokens',
): PacedWarning {
  const paced = new PacedCounts<typeof counted>()
  return (reason) => {
    const number = paced.add(counted)
    if (number !== undefined) log.warn(message, { reason, [counted]: number })
  }
}
