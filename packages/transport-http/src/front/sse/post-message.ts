import { type Identity, judgeContentType } from '@junctor/exchange'
import { headers } from '@junctor/protocol'
import { answerEmpty } from '../answer.ts'
import type { HttpCall } from '../http-call.ts'
import { parseBody } from '../parse-body.ts'
import { type BodyReader, declaresTooMuch, readBody } from '../read-body.ts'
import { refuseTooLarge } from '../refuse-too-large.ts'
import { sessionsInQuery } from '../session-parameter.ts'
import type { SseConnection, SseConnections } from './sse-connection.ts'

/** Takes what a client posts: accepted here, answered on its stream (2024-11-05, "HTTP with SSE"). */
export function postMessage(call: HttpCall, connections: SseConnections): void {
  call.authenticate((identity) => {
    const from = { identity, session: undefined }
    const verdict = judgeContentType(call.head.header(headers.contentType))
    if (!verdict.ok) return call.refuse(verdict.situation, { from, message: verdict.message })
    const [key] = sessionsInQuery(call.request)
    if (key === undefined) return call.refuse('session_missing', { from })
    const connection = connections.get(key)
    // Another caller's is as unknown as one that never was.
    if (connection?.belongsTo(identity) !== true) return call.refuse('session_unknown', { from })
    const { limits } = call.serving
    if (declaresTooMuch(call.head.header('content-length'), limits.body)) return refuseTooLarge(call, identity)
    readBody(call.request, limits.body, new MessageBody(call, identity, connection))
  })
}

class MessageBody implements BodyReader {
  readonly #call: HttpCall
  readonly #identity: Identity
  readonly #connection: SseConnection

  constructor(call: HttpCall, identity: Identity, connection: SseConnection) {
    this.#call = call
    this.#identity = identity
    this.#connection = connection
  }

  bodyTooLarge(): void {
    refuseTooLarge(this.#call, this.#identity)
  }

  bodyRead(bytes: Buffer): void {
    const call = this.#call
    const connection = this.#connection
    const from = { identity: this.#identity, session: undefined }
    if (connection.over) return call.refuse('session_unknown', { from })
    // Nothing is held meanwhile: how much that would be is for the client to say.
    if (connection.opening) {
      return call.refuse('overloaded', { from, message: 'Expected nothing before `initialize` is answered' })
    }
    call.guard(() => {
      answerEmpty(call.response, 202, call.moreHeaders())
      connection.take(parseBody(bytes, call.serving.limits.frame))
    })
  }
}
