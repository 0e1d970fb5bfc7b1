import type { IncomingHttpHeaders } from 'node:http'
import type { Message, Notification, Request, Response } from '@junctor/jsonrpc'
import { printMessage } from '@junctor/jsonrpc'
import { headers as names, mediaTypes, methods, type Revision } from '@junctor/protocol'
import { type AnswerHost, type AnswerListener, AnswerStream, type PendingAnswer } from './answer-stream.ts'
import { delivery, deliveryPatienceMs } from './delivery.ts'
import type { HttpFailure } from './http-failure.ts'
import type { HttpOrigin } from './http-origin.ts'
import type { HttpRound, RoundListener } from './http-round.ts'
import { createLingering } from './lingering.ts'
import { type SessionListener, SessionStream } from './session-stream.ts'

/**
 * One MCP session over Streamable HTTP (2025-03-26 to 2025-11-25), from its `initialize` on. When the server forgets it
 * there is no way back: another one is opened.
 */
export interface HttpSession {
  /** Set for good when the server said that it does not know the session. */
  readonly lost: boolean
  /** Sends a request once. The response to `initialize` brings the session id. */
  request(request: Request, listener: AnswerListener): PendingAnswer
  /**
   * Sends what gets no response. Resolves with why it was not accepted, if it was not; after half a minute at most,
   * because nobody else waits for it with a deadline.
   */
  send(message: Notification | Response): Promise<HttpFailure | undefined>
  /** The revision that was negotiated: sent with every request from now on. */
  negotiated(revision: Revision): void
  /** Opens the session's own stream. Resolves when the server has given it or has not, at most after half a second. */
  listen(listener: SessionListener): Promise<void>
  /**
   * Closes the session's own stream and tells the server that it is over, waiting a short while for it to hear. Requests
   * under way are their owners' to abandon.
   */
  close(): Promise<void>
}

/** Some servers send the head of a stream with its first event only. */
const listenPatienceMs = 500
const farewellPatienceMs = 2_000

/** Visible ASCII (2025-11-25, Streamable HTTP, "Session Management"). */
const sessionIdForm = /^[\u0021-\u007e]+$/

export function createHttpSession(origin: HttpOrigin): HttpSession {
  const { log } = origin
  const lingering = createLingering()
  let sessionId: string | undefined
  let revision: Revision | undefined
  let lost = false
  let closed = false
  let stream: SessionStream | undefined
  let postHeaders = headersFor('POST')

  function headersFor(method: 'GET' | 'POST' | 'DELETE'): string[] {
    const all = [...origin.headers]
    if (method === 'POST') {
      all.push(names.contentType, mediaTypes.json, names.accept, `${mediaTypes.json}, ${mediaTypes.eventStream}`)
    } else if (method === 'GET') all.push(names.accept, mediaTypes.eventStream)
    if (sessionId !== undefined) all.push(names.sessionId, sessionId)
    if (revision !== undefined) all.push(names.protocolVersion, revision)
    return all
  }

  const post = (message: Message, listener: RoundListener): HttpRound =>
    origin.send({ method: 'POST', headers: postHeaders, body: printMessage(message, { nullId: false }) }, listener)

  const resume = (lastEventId: string | undefined, listener: RoundListener): HttpRound => {
    const headers = headersFor('GET')
    if (lastEventId !== undefined) headers.push(names.lastEventId, lastEventId)
    return origin.send({ method: 'GET', headers }, listener)
  }

  const host: AnswerHost = {
    get hasSession() {
      return sessionId !== undefined
    },
    post,
    resume,
    accepted(request: Request, headers: IncomingHttpHeaders) {
      if (request.method !== methods.initialize || sessionId !== undefined) return
      const id = headers[names.sessionId]
      if (typeof id !== 'string' || !sessionIdForm.test(id)) return
      sessionId = id
      postHeaders = headersFor('POST')
    },
    unknown() {
      lost = true
    },
    linger: (answer) => lingering.add(answer),
    part(answer, farewell) {
      lingering.add(answer)
      void part(answer, farewell)
    },
    ended: (answer) => lingering.delete(answer),
    report: (message, fields) => log.warn(message, fields),
  }

  const send = (message: Notification | Response, patienceMs = deliveryPatienceMs): Promise<HttpFailure | undefined> =>
    delivery((listener) => post(message, listener), host, patienceMs)

  async function part(answer: AnswerStream, farewell: Notification): Promise<void> {
    if (!closed) await send(farewell, farewellPatienceMs)
    answer.abort()
  }

  return {
    get lost() {
      return lost
    },
    request: (request, listener) => new AnswerStream(host, request, listener),
    send: (message) => send(message),
    negotiated(value) {
      revision = value
      postHeaders = headersFor('POST')
    },
    async listen(listener) {
      stream = new SessionStream(host, listener)
      const patience = Promise.withResolvers<void>()
      const timer = setTimeout(patience.resolve, listenPatienceMs)
      await Promise.race([stream.decided, patience.promise])
      clearTimeout(timer)
    },
    async close() {
      if (closed) return
      closed = true
      stream?.close()
      lingering.close()
      if (sessionId === undefined || lost) return
      await delivery(
        (listener) => origin.send({ method: 'DELETE', headers: headersFor('DELETE') }, listener),
        host,
        farewellPatienceMs,
      )
    },
  }
}
