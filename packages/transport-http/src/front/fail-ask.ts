import type { Origin } from '@junctor/contracts'
import type { ErrorResponse, Unreadable } from '@junctor/jsonrpc'
import { wireError } from '@junctor/protocol'
import type { HttpCall } from './http-call.ts'
import { HttpSink } from './http-sink.ts'

/** A response that cannot be read is all that will come: who asked is told so, and waits no longer. */
export function failAsk(
  call: HttpCall,
  origin: Origin,
  { answers, dialect = '2.0', situation, message }: Unreadable,
): void {
  const { session, identity } = origin
  if (answers === undefined || session === undefined) return
  const { profile } = identity.tenant
  const error = wireError(situation, { revision: session.revision, dialect, profile }, { message })
  const response: ErrorResponse = { kind: 'error', dialect, id: answers, error }
  call.serving.front.receive(response, origin, new HttpSink(call, origin))
}
