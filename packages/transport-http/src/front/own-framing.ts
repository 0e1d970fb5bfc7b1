import { readAccept } from './judge-headers.ts'
import type { Session } from '@junctor/contracts'
import { headers, type HttpShape } from '@junctor/protocol'
import { endpointStream } from './endpoint-stream.ts'
import type { Framing } from './framing.ts'
import type { HttpCall } from './http-call.ts'
import { lineStream } from './line-stream.ts'
import { sessionUrl } from './session-url.ts'

/**
 * The framing of a session's own stream, where its profile has one of its own. Lines have no place for event ids: they
 * can be resumed all the same, for who asks is told places between them (`cursor`).
 *
 * @param cursor what the client says of the place from which it wants to go on, empty when it knows none yet
 */
export function ownFraming(
  call: HttpCall,
  shape: HttpShape,
  { id, revision }: Session,
  cursor: string | undefined,
): Framing {
  const { eventStream, ndjson } = readAccept(call.head.header(headers.accept))
  const takesEventsAlone = eventStream && !ndjson
  if (!shape.streamsLines(revision) || takesEventsAlone) return endpointStream(sessionUrl(call, id))
  const told = (eventId: string | undefined): string | undefined => (cursor === undefined ? undefined : eventId)
  return {
    ...lineStream,
    resumable: true,
    begin: (eventId) => `${shape.greeting(id, told(eventId))}\n`,
    keepAlive: (eventId) => `${shape.ping(Date.now(), told(eventId))}\n`,
  }
}
