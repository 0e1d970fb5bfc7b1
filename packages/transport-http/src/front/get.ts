import { judgeGet } from './judge-headers.ts'
import { headers } from '@junctor/protocol'
import type { HttpCall } from './http-call.ts'
import { HttpSink } from './http-sink.ts'
import { ownFraming } from './own-framing.ts'
import { cursorInQuery } from './cursor-parameter.ts'

/** The session's own stream, or the rest of one (Streamable HTTP, "Listening for Messages", "Resumability"). */
export function get(call: HttpCall): void {
  call.authenticate((identity) => {
    const shape = identity.tenant.profile.http
    const verdict = judgeGet(call.head.header(headers.accept))
    // Streams of a profile's own look as its document says, whatever a client accepts.
    if (shape === undefined && !verdict.ok) {
      return call.refuse(verdict.situation, { from: { identity, session: undefined }, message: verdict.message })
    }
    call.needSession(identity, (session) => {
      if (!call.enterStream(identity)) return
      const named = call.head.header(headers.lastEventId)
      const place = shape === undefined ? named : (named ?? cursorInQuery(call.request))
      const sink = new HttpSink(call, { session }, shape && ownFraming(call, shape, session, place))
      // Whoever asks for places and knows none yet begins where one begins that does not ask.
      const begins = shape !== undefined && place === ''
      call.serving.front.resume(session, begins ? undefined : place, sink)
      sink.follow()
    })
  })
}
