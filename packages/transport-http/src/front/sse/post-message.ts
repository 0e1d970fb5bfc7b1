import type { Identity, PostResult } from '@junctor/contracts'
import { answerEmpty } from '../serving/answer.ts'
import type { ReceivedRequest } from '../request/received-request.ts'
import { judgeBody } from '../headers/judge-body.ts'
import { receiveBody } from '../request/receive-body.ts'
import { sessionsInQuery } from '../headers/session-parameter.ts'

const noKey = 'Expected a POST to the address that the stream names: open the stream with GET'

/** Handles a client's post: accepted here, answered on its stream (2024-11-05, "HTTP with SSE"). */
export function postMessage(call: ReceivedRequest): void {
  call.authenticate((identity) => {
    const from = { identity }
    const [key] = sessionsInQuery(call.request)
    if (key === undefined) {
      return call.refuse('http_method_not_allowed', { from, headers: { allow: 'GET' }, message: noKey })
    }
    const verdict = judgeBody(call)
    if (!verdict.ok) return call.refuse(verdict.situation, { from, message: verdict.message })
    receiveBody(call, from, call.serving.limits.body, (bytes) => receive(call, identity, key, bytes))
  })
}

function receive(call: ReceivedRequest, identity: Identity, address: string, bytes: Uint8Array): void {
  const posted = call.serving.front.messageEndpoints.post(address, identity, bytes)
  if (!(posted instanceof Promise)) return answer(call, identity, posted)
  posted.then((later) => answer(call, identity, later)).catch((error: unknown) => call.fail(error))
}

function answer(call: ReceivedRequest, identity: Identity, posted: PostResult): void {
  const from = { identity }
  if (posted === 'unknown') return call.refuse('session_unknown', { from })
  if (posted === 'unreachable') return call.refuse('fabric_unavailable', { from })
  if (posted === 'opening') {
    return call.refuse('overloaded', { from, message: 'Expected nothing before `initialize` is answered' })
  }
  answerEmpty(call.response, 202, call.moreHeaders())
}
