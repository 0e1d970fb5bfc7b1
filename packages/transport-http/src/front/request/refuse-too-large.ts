import type { Identity } from '@junctor/contracts'
import type { ReceivedRequest } from './received-request.ts'
import { peekBytes } from '../body/read-start.ts'

/**
 * Refuses a body beyond the limit, whether it declares its length or not.
 *
 * @param start the bytes that have arrived, when the body declares no length
 */
export function refuseTooLarge(call: ReceivedRequest, identity: Identity, start?: Uint8Array): void {
  const message = `Expected a body of at most ${call.serving.limits.body} bytes, got more`
  const from = { identity }
  if (start === undefined) return call.refuse('too_large', { message, from })
  const { dialect, id } = peekBytes(start, call.serving.limits.frame)
  call.refuse('too_large', dialect === '3.0' ? { message, from: { ...from, dialect }, id } : { message, from })
}

const noRoom = 'This server has no memory for another large body: send it again later'

/** Refuses a body for which there is no memory now. */
export function refuseNoRoom(call: ReceivedRequest, identity?: Identity): void {
  call.refuse('overloaded', { message: noRoom, ...(identity !== undefined && { from: { identity } }) })
}
