import { answerEmpty } from '../serving/answer.ts'
import type { ReceivedRequest } from '../request/received-request.ts'

/** Handles a DELETE: the client ends its session (Streamable HTTP, "Session Management"). */
export function deleteSession(call: ReceivedRequest): void {
  call.authenticate((identity) => {
    if (call.isStateless) return call.refuseSessionVerb(identity)
    call.needSession(identity, (session) => {
      call.serving.front
        .end(session, 'session_ended')
        .then(() => answerEmpty(call.response, 204, call.moreHeaders()))
        .catch((error: unknown) => call.fail(error))
    })
  })
}
