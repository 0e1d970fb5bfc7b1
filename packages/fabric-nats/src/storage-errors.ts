import { JunctorError } from '@junctor/protocol'
import { type JetStreamApiError, JetStreamApiCodes } from '@nats-io/jetstream'
import { RequestError } from '@nats-io/transport-node'

/** What a caller of the fabric gets for what NATS threw. Errors of this program stay as they are. */
export function unavailable(error: unknown): JunctorError {
  if (error instanceof JunctorError) return error
  const reason = error instanceof Error ? error.message : String(error)
  return new JunctorError('FABRIC_UNAVAILABLE', `NATS did not store or answer: ${reason}`, { cause: error })
}

/** Servers of a cluster that have no leader at the moment. */
const noLeader = 10_008

const notThere: ReadonlySet<number | undefined> = new Set([JetStreamApiCodes.StreamNotFound, noLeader])

/**
 * Whether what failed has not happened, and may soon be possible: nobody listened, because a stream is gone, or is just
 * being made, or its servers are electing who leads it.
 */
export function isUnheard(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (notThere.has((error as Partial<JetStreamApiError>).code)) return true
  const { cause = error } = error
  return cause instanceof RequestError && cause.isNoResponders()
}

/** A conditional publish found something else than it expected. */
export function isConflict(error: unknown): boolean {
  const { code } = error as Partial<JetStreamApiError>
  return code === JetStreamApiCodes.StreamWrongLastSequence || code === JetStreamApiCodes.StreamWrongLastSequenceUnknown
}
