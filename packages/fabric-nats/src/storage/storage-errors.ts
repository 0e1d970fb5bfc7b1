import { JunctorError } from '@junctor/protocol'
import { JetStreamApiCodes, JetStreamApiError } from '@nats-io/jetstream'
import { RequestError } from '@nats-io/transport-node'
import { errorOf } from '@junctor/primitives'

/**
 * The error of the fabric for an error of NATS. Errors of this program are returned unchanged. `FABRIC_REFUSED`: the
 * server has answered that the operation has no effect.
 */
export function unavailable(error: unknown): JunctorError {
  if (error instanceof JunctorError) return error
  const reason = errorOf(error).message
  if (error instanceof JetStreamApiError && !isUnanswered(error)) {
    return new JunctorError('FABRIC_REFUSED', `NATS refused: ${reason}`, { cause: error })
  }
  return new JunctorError('FABRIC_UNAVAILABLE', `NATS did not store or answer: ${reason}`, { cause: error })
}

/** The error code of servers in a cluster without a leader. */
const noLeader = 10_008

const notThere: ReadonlySet<number | undefined> = new Set([JetStreamApiCodes.StreamNotFound, noLeader])

/**
 * Whether a failed operation had no effect, and may soon succeed: there was no subscriber, because a stream is missing
 * or being created, or its servers elect a leader.
 */
export function isUnanswered(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (notThere.has((error as Partial<JetStreamApiError>).code)) return true
  const { cause = error } = error
  return cause instanceof RequestError && cause.isNoResponders()
}

/** Whether a conditional publish found another last sequence than it expected. */
export function isConflict(error: unknown): boolean {
  const { code } = error as Partial<JetStreamApiError>
  return code === JetStreamApiCodes.StreamWrongLastSequence || code === JetStreamApiCodes.StreamWrongLastSequenceUnknown
}
