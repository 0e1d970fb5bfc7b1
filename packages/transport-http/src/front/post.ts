import { type AdmissionVerdict, isAnswered, judgeBatch, notificationOf } from '@junctor/connection'
import type { Identity, Origin, Refusing } from '@junctor/contracts'
import { judgePostAccept, takesStreamOnly } from './judge-headers.ts'
import {
  type Dialect,
  type Message,
  type ParsedFrame,
  type RequestId,
  type Unreadable,
  wantsStream,
} from '@junctor/jsonrpc'
import { headers, type Situation } from '@junctor/protocol'
import { receiveBatch } from './batch.ts'
import { entriesOf } from './entries-of.ts'
import { failAsk } from './fail-ask.ts'
import type { FoundSession, HttpCall } from './http-call.ts'
import { HttpSink } from './http-sink.ts'
import { parseBody } from './parse-body.ts'
import { prefersAsync } from './prefers-async.ts'
import { judgeBody } from './judge-body.ts'
import { type BodyReader, declaresTooMuch, readBody } from './read-body.ts'
import { refuseTooLarge } from './refuse-too-large.ts'

/** A message, or a batch of them, from the client (Streamable HTTP, "Sending Messages to the Server"). */
export function post(call: HttpCall): void {
  call.authenticate((identity) => {
    const verdict = judgePost(call)
    const from = { identity, session: undefined }
    if (!verdict.ok) return call.refuse(verdict.situation, { from, message: verdict.message })
    const { limits } = call.serving
    if (declaresTooMuch(call.head.header('content-length'), limits.body)) return refuseTooLarge(call, identity)
    readBody(call.request, limits.body, new PostBody(call, identity))
  })
}

/** The same for a body that was read, and its headers judged, before it was asked who sent it. */
export function postRead(call: HttpCall, bytes: Buffer): void {
  call.authenticate((identity) => new PostBody(call, identity).bodyRead(bytes))
}

/** Judges the headers of a POST, whoever sent it (415, 406). */
export function judgePost(call: HttpCall): AdmissionVerdict {
  const verdict = judgeBody(call.head)
  if (!verdict.ok) return verdict
  const accept = call.head.header(headers.accept)
  const accepted = judgePostAccept(accept)
  // Whether that is enough depends on the version, which is in the body.
  call.streamOnly = !accepted.ok && takesStreamOnly(accept)
  return call.streamOnly ? verdict : accepted
}

const onlyStreams = 'Accept must allow application/json and text/event-stream in JSON-RPC 2.0, got only the latter'

/** The body of a POST, from its bytes to the gateway. */
class PostBody implements BodyReader {
  readonly #call: HttpCall
  readonly #identity: Identity

  constructor(call: HttpCall, identity: Identity) {
    this.#call = call
    this.#identity = identity
  }

  bodyTooLarge(start: Buffer): void {
    this.#call.guard(() => refuseTooLarge(this.#call, this.#identity, start))
  }

  bodyRead(bytes: Buffer): void {
    this.#call.guard(() => {
      const frame = parseBody(bytes, this.#call.serving.limits.frame)
      this.#call.findSession(this.#identity, (session) => this.#receive(frame, session))
    })
  }

  #receive(frame: ParsedFrame, session: FoundSession): void {
    const call = this.#call
    const known = typeof session === 'string' ? undefined : session
    const origin: Origin = {
      transport: 'http',
      identity: this.#identity,
      session: known,
      revision: call.revision,
      dialect: dialectOf(frame),
      respondAsync: prefersAsync(call.head.header(headers.prefer)),
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
}

/** What a frame is refused in, should it have to be: a batch in the first version that it says. */
function dialectOf(frame: ParsedFrame): Dialect {
  if (frame.kind === 'message') return frame.message.dialect
  const said = frame.kind === 'batch' ? frame.entries.find(({ dialect }) => dialect !== undefined) : frame
  return said?.dialect ?? '2.0'
}

/** Refuses a frame. Where nobody waits for an answer, a client may learn of it by the status, and by nothing else. */
function refuse(call: HttpCall, from: Refusing, frame: ParsedFrame, situation: Situation, message?: string): void {
  const entries = entriesOf(frame)
  if (entries.some(isAnswered)) {
    for (const notification of entries.flatMap(notificationOf)) call.serving.front.ignore(notification, from)
    call.refuse(situation, { from, message, id: requestIdOf(frame) })
  } else call.turnAway(situation, { from }, entries)
}

/** The id that the sender waits for an answer to, if the frame is a request. */
function requestIdOf(frame: ParsedFrame): RequestId | undefined {
  if (frame.kind === 'unreadable') return frame.id
  return frame.kind === 'message' && frame.message.kind === 'request' ? frame.message.id : undefined
}

/** Why it could not be read is also in the log: the error for what is no JSON does not say it. */
function refuseFrame(call: HttpCall, origin: Origin, frame: Unreadable): void {
  const { situation, message, dialect } = frame
  call.serving.log.debug('A body could not be read', { situation, message })
  // Where it does not say its version, the gateway knows what its session has spoken.
  const { identity, session } = origin
  const from = dialect === undefined ? { identity, session } : origin
  // Of what has no id that could be read nobody knows whether it was meant to be answered at all.
  if (frame.id === undefined) refuse(call, from, frame, situation, message)
  else refuseInSession(call, from, frame, situation, message)
}

/** Refuses what came in a session, if there is one: where its answers are. */
function refuseInSession(
  call: HttpCall,
  from: Refusing,
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

function receiveMessage(call: HttpCall, origin: Origin, message: Message): void {
  const { front } = call.serving
  if (message.kind === 'request') {
    const sink = new HttpSink(call, origin)
    sink.isLasting = wantsStream(message)
    front.receive(message, origin, sink)
    sink.follow()
    return
  }
  // Nobody will ever answer this, so it is by the status that a client learns that its session is missing. Calls of
  // JSON-RPC 3.0 need none.
  if (origin.session === undefined && message.dialect === '2.0' && !origin.identity.tenant.profile.sessionless) {
    return refuse(call, origin, { kind: 'message', message }, 'session_missing')
  }
  const sink = new HttpSink(call, origin)
  front.receive(message, origin, sink)
  void sink.send('', true)
}
