import type { IncomingMessage } from 'node:http'
import { headers } from '@junctor/protocol'
import { judgeGet } from '../headers/judge-headers.ts'
import type { ReceivedRequest } from '../request/received-request.ts'
import { HttpSink } from '../request/http-sink.ts'
import { ownFraming } from '../request/own-framing.ts'

/** Opens the session's own stream, or resumes one (Streamable HTTP, "Listening for Messages", "Resumability"). */
export function get(call: ReceivedRequest): void {
  call.authenticate((identity) => {
    if (call.isStateless) return call.refuseSessionVerb(identity)
    const shape = identity.tenant.profile.http
    const verdict = judgeGet(call.header(headers.accept))
    // A profile with its own streams uses them regardless of `Accept`.
    if (shape === undefined && !verdict.ok) {
      return call.refuse(verdict.situation, { from: { identity }, message: verdict.message })
    }
    call.needSession(identity, (session) => {
      if (!call.enterStream(identity)) return
      const named = call.header(headers.lastEventId)
      const place = shape === undefined ? named : (named ?? cursorInQuery(call.request))
      const sink = new HttpSink(call, { session }, shape && ownFraming(call, shape, session, place))
      // A client that asks for places and has none yet begins where a client that does not ask for them begins.
      const begins = shape !== undefined && place === ''
      call.serving.front.resume(session, begins ? undefined : place, sink)
      sink.follow()
    })
  })
}

/** The query parameter for the place from which a stream of lines continues. */
const cursorParameter = 'cursor'

/** Its value in a request; empty: the client wants to receive places, and has none yet. */
function cursorInQuery({ url = '' }: IncomingMessage): string | undefined {
  const query = url.indexOf('?')
  return query === -1 ? undefined : (new URLSearchParams(url.slice(query)).get(cursorParameter) ?? undefined)
}
