import type { Identity } from '@junctor/exchange'
import type { HttpCall } from './http-call.ts'

/** Refuses a body that is beyond the limit, whether that was declared or came out. */
export function refuseTooLarge(call: HttpCall, identity: Identity): void {
  const message = `Expected a body of at most ${call.serving.limits.body} bytes, got more`
  call.refuse('too_large', { message, from: { identity, session: undefined } })
}
