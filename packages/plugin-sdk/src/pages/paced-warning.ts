import type { Log } from '@junctor/contracts'
import { PacedCounts } from '@junctor/primitives'

/** Warns that a page could not be shown, or a client not be served, for a reason. */
export type PacedWarning = (reason: string) => void

/**
 * Creates a warning about something that every request may meet: logged at the first one, and then once a minute with their
 * number. Anybody can send requests, so that they could fill the log.
 *
 * @param message the line of the log
 */
export function createPacedWarning(log: Pick<Log, 'warn'>, message: string): PacedWarning {
  const paced = new PacedCounts<'request'>()
  return (reason) => {
    const requests = paced.add('request', performance.now())
    if (requests !== undefined) log.warn(message, { reason, requests })
  }
}
