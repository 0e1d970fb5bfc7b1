import { JunctorError } from '@junctor/protocol'

/** What a caller of the fabric gets for what NATS threw. Errors of this program stay as they are. */
export function unavailable(error: unknown): JunctorError {
  if (error instanceof JunctorError) return error
  const reason = error instanceof Error ? error.message : String(error)
  return new JunctorError('FABRIC_UNAVAILABLE', `NATS did not store or answer: ${reason}`, { cause: error })
}
