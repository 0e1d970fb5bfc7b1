import type { Origin } from '@junctor/contracts'
import type { ErrorResponse, Unreadable } from '@junctor/jsonrpc'
import { wireError } from '@junctor/protocol'
import type { ReceivedRequest } from '../request/received-request.ts'
import { HttpSink } from '../request/http-sink.ts'

/**
 * Fails a request to the client whose response cannot be parsed: no other response will follow, so its caller gets this
 * error.
 */
export function failAsk(
  call: ReceivedRequest,
  origin: Origin,
  { answers, dialect = '2.0', situation, message }: Unreadable,
): void {
  const { session, identity } = origin
  if (answers === undefined || session === undefined) return
  const { profile } = identity.tenant
  const error = wireError(situation, { revision: session.revision, dialect, profile }, { message })
  const response: ErrorResponse = { kind: 'error', dialect, id: answers, error }
  void call.serving.front.receive(response, origin, new HttpSink(call, origin))
}
