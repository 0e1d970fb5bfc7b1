import { type Log, reasonWithCauses } from '@junctor/contracts'
import { PacedCounts } from '@junctor/primitives'

/** Called with the reason why a token could not be asked about. */
export type LogUnasked = (error: unknown) => void

/**
 * Creates the function that logs why an authorization server cannot be asked about tokens: at the first token, and then once a minute
 * with their number. Anybody can send tokens, so that they could fill the log.
 *
 * @param message the line of the log
 */
export function createUnaskedLog(log: Log, message: string): LogUnasked {
  const paced = new PacedCounts<'token'>()
  return (error) => {
    const tokens = paced.add('token', performance.now())
    if (tokens !== undefined) log.warn(message, { reason: reasonWithCauses(error), tokens })
  }
}
