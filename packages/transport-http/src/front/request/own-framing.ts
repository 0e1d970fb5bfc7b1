import { readAccept } from '../headers/judge-headers.ts'
import type { Session } from '@junctor/contracts'
import { headers, type HttpShape } from '@junctor/protocol'
import { endpointStream } from '../framing/endpoint-stream.ts'
import type { Framing } from '../framing/framing.ts'
import type { ReceivedRequest } from './received-request.ts'
import { lineStream } from '../framing/line-stream.ts'
import { sessionUrl } from './session-url.ts'

/**
 * The framing of a session's own stream, for a profile that defines its own. Lines have no event ids, but they can
 * still be resumed: a client that asks for it receives places between lines (`cursor`).
 *
 * @param cursor the place from which the client wants to continue; empty when it has none yet
 */
export function ownFraming(
  call: ReceivedRequest,
  shape: HttpShape,
  { id, revision }: Session,
  cursor: string | undefined,
): Framing {
  const { eventStream, ndjson } = readAccept(call.header(headers.accept))
  const takesEventsAlone = eventStream && !ndjson
  if (!shape.streamsLines(revision) || takesEventsAlone) return endpointStream(sessionUrl(call, id))
  const shownId = (eventId: string | undefined): string | undefined => (cursor === undefined ? undefined : eventId)
  return {
    ...lineStream,
    resumable: true,
    begin: (eventId) => `${shape.greeting(id, shownId(eventId))}\n`,
    keepAlive: (eventId) => `${shape.ping(Date.now(), shownId(eventId))}\n`,
  }
}
