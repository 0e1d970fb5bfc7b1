import type { Identity, PostResult } from '@junctor/contracts'
import { answerEmpty } from '../serving/answer.ts'
import type { ReceivedRequest } from '../request/received-request.ts'
import { judgeBody } from '../headers/judge-body.ts'
import { type BodyReader, declaresTooMuch, readBody } from '../body/read-body.ts'
import { refuseNoRoom, refuseTooLarge } from '../request/refuse-too-large.ts'
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
    const { limits } = call.serving
    if (declaresTooMuch(call.header('content-length'), limits.body)) return refuseTooLarge(call, identity)
    readBody(call.request, limits.body, call.serving.bodies, new MessageBody(call, identity, key))
  })
}

class MessageBody implements BodyReader {
  readonly #call: ReceivedRequest
  readonly #identity: Identity
  readonly #address: string

  constructor(call: ReceivedRequest, identity: Identity, address: string) {
    this.#call = call
    this.#identity = identity
    this.#address = address
  }

  bodyTooLarge(start: Uint8Array): void {
    this.#call.guard(() => refuseTooLarge(this.#call, this.#identity, start))
  }

  bodyHasNoRoom(): void {
    this.#call.guard(() => refuseNoRoom(this.#call, this.#identity))
  }

  bodyRead(bytes: Uint8Array): void {
    this.#call.guard(() => {
      const { front } = this.#call.serving
      const posted = front.messageEndpoints.post(this.#address, this.#identity, bytes)
      if (!(posted instanceof Promise)) return this.#answer(posted)
      posted.then((later) => this.#answer(later)).catch((error: unknown) => this.#call.fail(error))
    })
  }

  #answer(posted: PostResult): void {
    const call = this.#call
    const from = { identity: this.#identity }
    if (posted === 'unknown') return call.refuse('session_unknown', { from })
    if (posted === 'unreachable') return call.refuse('fabric_unavailable', { from })
    if (posted === 'opening') {
      return call.refuse('overloaded', { from, message: 'Expected nothing before `initialize` is answered' })
    }
    answerEmpty(call.response, 202, call.moreHeaders())
  }
}
