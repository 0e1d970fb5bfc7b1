import type { Origin } from '@junctor/contracts'
import type { HttpSink } from '../request/http-sink.ts'
import type { ReceivedRequest } from '../request/received-request.ts'

/**
 * Answers a POST without requests: 202 when the gateway has its messages (Streamable HTTP, "Sending Messages to the
 * Server"), or 503 when the node that they concern may not have received them.
 *
 * @param received what the gateway returned for the messages; undefined: it has them
 */
export function acceptMessages(
  call: ReceivedRequest,
  origin: Origin,
  sink: HttpSink,
  received: Promise<boolean> | undefined,
): void {
  if (received === undefined) return void sink.send('', true)
  const answer = (arrived: boolean): void => {
    if (arrived) void sink.send('', true)
    else call.turnAway('fabric_unavailable', { from: origin }, [])
  }
  received.then(answer, (error: unknown) => call.fail(error))
}
