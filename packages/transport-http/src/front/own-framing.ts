import { readAccept, type Session } from '@junctor/exchange'
import { headers, type HttpShape } from '@junctor/protocol'
import { endpointStream } from './endpoint-stream.ts'
import type { Framing } from './framing.ts'
import type { HttpCall } from './http-call.ts'
import { lineStream } from './line-stream.ts'
import { sessionUrl } from './session-url.ts'

/** The framing of a session's own stream, where its profile has one of its own. */
export function ownFraming(call: HttpCall, shape: HttpShape, { id, revision }: Session): Framing {
  const { eventStream, ndjson } = readAccept(call.head.header(headers.accept))
  const takesEventsAlone = eventStream && !ndjson
  if (!shape.streamsLines(revision) || takesEventsAlone) return endpointStream(sessionUrl(call, id))
  return {
    ...lineStream,
    begin: () => `${shape.greeting(id)}\n`,
    keepAlive: () => `${shape.ping(Date.now())}\n`,
  }
}
