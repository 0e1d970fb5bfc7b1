import { errorReason } from '@junctor/primitives'
import { JunctorError } from '@junctor/protocol'

/**
 * What went wrong, with the reasons below it, for a log or a message: `fetch` says only that it has failed, and its cause
 * says whether it was DNS, TCP or the certificate. Without the codes of local errors. A reason that is already named is
 * not named again.
 *
 * @param thrown any thrown value
 */
export function reasonWithCauses(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown)
  const own = thrown instanceof JunctorError ? thrown.problem : errorReason(thrown)
  const cause = thrown.cause instanceof Error ? reasonWithCauses(thrown.cause) : ''
  return own.includes(cause) ? own : `${own}: ${cause}`
}
