import { type AdmissionVerdict, admitted, isAnswered, judgeBatch, notificationOf } from '@junctor/connection'
import type { Identity, Origin, RefusalTarget } from '@junctor/contracts'
import { isUsualPost, judgePostAccept, namesStream, takesStreamOnly } from '../headers/judge-headers.ts'
import {
  type Dialect,
  entriesOf,
  type Message,
  type ParsedFrame,
  type RequestId,
  type Unreadable,
  wantsStream,
} from '@junctor/jsonrpc'
import { headers, methods, type Situation } from '@junctor/protocol'
import { answerEmpty } from '../serving/answer.ts'
import { receiveBatch } from './batch.ts'
import { acceptMessages } from './accept-messages.ts'
import { failAsk } from './fail-ask.ts'
import type { FoundSession, ReceivedRequest } from '../request/received-request.ts'
import { HttpSink } from '../request/http-sink.ts'
import { parseBody } from '../body/parse-body.ts'
import { prefersAsync } from '../headers/prefers-async.ts'
import { judgeBody } from '../headers/judge-body.ts'
import { receiveBody } from '../request/receive-body.ts'

/** Handles a POST: a message, or a batch of messages (Streamable HTTP, "Sending Messages to the Server"). */
export function post(call: ReceivedRequest): void {
  call.authenticate((identity) => {
    const verdict = isUsualPost(call.headers) ? admitted : judgePost(call)
    const from = { identity }
    if (!verdict.ok) return call.refuse(verdict.situation, { from, message: verdict.message })
    receiveBody(call, from, call.serving.limits.body, (bytes) => receive(call, identity, bytes))
  })
}

/** The same for a body that was read, and whose headers were checked, before the caller is authenticated. */
export function postRead(call: ReceivedRequest, bytes: Uint8Array): void {
  call.authenticate((identity) => receive(call, identity, bytes))
}

/** Checks the headers of a POST that do not depend on the caller (415, 406). */
export function judgePost(call: ReceivedRequest): AdmissionVerdict {
  const verdict = judgeBody(call)
  if (!verdict.ok) return verdict
  const accept = call.header(headers.accept)
  const accepted = judgePostAccept(accept)
  // Whether a stream alone is enough depends on the version, which is in the body.
  call.streamOnly = !accepted.ok && takesStreamOnly(accept)
  return call.streamOnly ? verdict : accepted
}

const onlyStreams = 'Accept must allow application/json and text/event-stream in JSON-RPC 2.0, got only the latter'

/** Processes the body of a POST, from its bytes to the gateway. */
function receive(call: ReceivedRequest, identity: Identity, bytes: Uint8Array): void {
  const frame = parseBody(bytes, call.serving.limits.frame)
  call.findSession(identity, (session) => receiveFrame(call, identity, frame, session))
}

function receiveFrame(call: ReceivedRequest, identity: Identity, frame: ParsedFrame, session: FoundSession): void {
  const known = typeof session === 'string' ? undefined : session
  const prefer = call.header(headers.prefer)
  const origin: Origin = {
    transport: 'http',
    identity,
    session: known,
    revision: call.revision,
    dialect: frame.kind === 'message' ? frame.message.dialect : dialectOf(frame),
    respondAsync: prefer !== undefined && prefersAsync(prefer),
    headers: call,
  }
  if (call.streamOnly && origin.dialect !== '3.0') {
    return refuse(call, origin, frame, 'not_acceptable', onlyStreams)
  }
  if (frame.kind === 'unreadable') {
    failAsk(call, origin, frame)
    return refuseFrame(call, origin, frame)
  }
  if (typeof session === 'string') return refuse(call, origin, frame, session)
  if (frame.kind === 'message') return receiveMessage(call, origin, frame.message)
  const problem = judgeBatch(frame, known)
  if (problem === undefined) receiveBatch(call, origin, frame)
  else refuseInSession(call, origin, frame, 'invalid_request', problem)
}

/** The version in which a batch or an unreadable frame is refused, if necessary: the first that it declares. */
function dialectOf(frame: Exclude<ParsedFrame, { kind: 'message' }>): Dialect {
  const declaring = frame.kind === 'batch' ? frame.entries.find(({ dialect }) => dialect !== undefined) : frame
  return declaring?.dialect ?? '2.0'
}

/** Refuses a frame. When no response is expected, the client learns of the refusal only by the status. */
function refuse(
  call: ReceivedRequest,
  from: RefusalTarget,
  frame: ParsedFrame,
  situation: Situation,
  message?: string,
): void {
  const entries = entriesOf(frame)
  if (entries.some(isAnswered)) {
    for (const notification of entries.flatMap(notificationOf)) call.serving.front.ignore(notification, from)
    call.refuse(situation, { from, message, id: requestIdOf(frame) })
  } else call.turnAway(situation, { from }, entries)
}

/** The id of the frame if it is a request. */
function requestIdOf(frame: ParsedFrame): RequestId | undefined {
  if (frame.kind === 'unreadable') return frame.id
  return frame.kind === 'message' && frame.message.kind === 'request' ? frame.message.id : undefined
}

/** Refuses an unreadable frame. The reason is also logged, because the error for invalid JSON does not contain it. */
function refuseFrame(call: ReceivedRequest, origin: Origin, frame: Unreadable): void {
  const { situation, message, dialect } = frame
  call.serving.log.debug('a body could not be read', { situation, message })
  // When the frame declares no version, the gateway uses the version of its session.
  const { identity, session } = origin
  const from = dialect === undefined ? { identity, session } : origin
  // Without a readable id it is unknown whether the sender expects an answer.
  if (frame.id === undefined) refuse(call, from, frame, situation, message)
  else refuseInSession(call, from, frame, situation, message)
}

/** Refuses a frame of a session, if there is one: its errors go where the session's answers go. */
function refuseInSession(
  call: ReceivedRequest,
  from: RefusalTarget,
  frame: ParsedFrame,
  situation: Situation,
  message: string,
): void {
  if (from.session === undefined || !entriesOf(frame).some(isAnswered)) {
    return refuse(call, from, frame, situation, message)
  }
  for (const notification of entriesOf(frame).flatMap(notificationOf)) call.serving.front.ignore(notification, from)
  const sink = new HttpSink(call, from)
  call.serving.front.refuseOn(sink, situation, from, message, requestIdOf(frame))
  sink.follow()
}

function receiveMessage(call: ReceivedRequest, origin: Origin, message: Message): void {
  const { front } = call.serving
  if (message.kind === 'request') {
    const isListening = message.method === methods.subscriptionsListen
    if (isListening && !call.enterStream(origin.identity)) return
    const sink = new HttpSink(call, origin)
    sink.isLasting = isListening || (message.options !== undefined && wantsStream(message))
    sink.isPlain = origin.identity.tenant.profile.plainAnswers && !namesStream(call.header(headers.accept))
    void front.receive(message, origin, sink)
    sink.follow()
    return
  }
  if (call.isStateless) {
    // This revision defines no notification over HTTP, and no response (Streamable HTTP, "Sending Messages").
    if (message.kind === 'notification') call.serving.front.ignore(message, origin)
    return answerEmpty(call.response, message.kind === 'notification' ? 202 : 400, call.moreHeaders())
  }
  // This message is never answered, so only the status can report to the client that its session is missing. Calls of
  // JSON-RPC 3.0 need no session.
  if (origin.session === undefined && message.dialect === '2.0' && !origin.identity.tenant.profile.sessionless) {
    return refuse(call, origin, { kind: 'message', message }, 'session_missing')
  }
  const sink = new HttpSink(call, origin)
  acceptMessages(call, origin, sink, front.receive(message, origin, sink))
}
