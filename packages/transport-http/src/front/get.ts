import { judgeGet } from '@junctor/exchange'
import { headers } from '@junctor/protocol'
import type { HttpCall } from './http-call.ts'
import { HttpSink } from './http-sink.ts'
import { ownFraming } from './own-framing.ts'

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
      const sink = new HttpSink(call, { session }, shape && ownFraming(call, shape, session))
      call.serving.front.resume(session, call.head.header(headers.lastEventId), sink)
      sink.follow()
    })
  })
}
