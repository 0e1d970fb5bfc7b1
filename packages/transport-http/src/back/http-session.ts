import type { IncomingHttpHeaders } from 'node:http'
import type { Message, Notification, Request, Response } from '@junctor/jsonrpc'
import { printMessage } from '@junctor/jsonrpc'
import { methods, type Revision } from '@junctor/protocol'
import { type AnswerHost, type AnswerListener, AnswerStream, type PendingAnswer } from './answer-stream.ts'
import { delivery, deliveryPatienceMs } from './delivery.ts'
import type { HttpFailure } from './http-failure.ts'
import type { HttpOrigin } from './http-origin.ts'
import type { HttpRound, RoundListener } from './http-round.ts'
import { createLingering, type Lingering } from './lingering.ts'
import { SessionHeaders } from './session-headers.ts'
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

/** A session that the server knows nothing of yet. */
export function createHttpSession(origin: HttpOrigin): HttpSession {
  return new OriginSession(origin)
}

/** What requests, deliveries and the session's own stream need of it, it gives them itself. */
class OriginSession implements HttpSession, AnswerHost {
  readonly #origin: HttpOrigin
  readonly #headers: SessionHeaders
  readonly #lingering: Lingering = createLingering()
  #stream: SessionStream | undefined
  #lost = false
  #closed = false

  constructor(origin: HttpOrigin) {
    this.#origin = origin
    this.#headers = new SessionHeaders(origin.headers)
  }

  get lost(): boolean {
    return this.#lost
  }

  get hasSession(): boolean {
    return this.#headers.hasSession
  }

  request(request: Request, listener: AnswerListener): PendingAnswer {
    return new AnswerStream(this, request, listener)
  }

  send(message: Notification | Response): Promise<HttpFailure | undefined> {
    return this.#deliver(message, deliveryPatienceMs)
  }

  negotiated(revision: Revision): void {
    this.#headers.negotiated(revision)
  }

  async listen(listener: SessionListener): Promise<void> {
    const stream = new SessionStream(this, listener)
    this.#stream = stream
    const patience = Promise.withResolvers<void>()
    const timer = setTimeout(patience.resolve, listenPatienceMs)
    await Promise.race([stream.decided, patience.promise])
    clearTimeout(timer)
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    this.#stream?.close()
    this.#lingering.close()
    if (!this.hasSession || this.#lost) return
    const farewell = { method: 'DELETE', headers: this.#headers.delete() } as const
    await delivery((listener) => this.#origin.send(farewell, listener), this, farewellPatienceMs)
  }

  post(message: Message, listener: RoundListener): HttpRound {
    const body = printMessage(message, { nullId: false })
    return this.#origin.send({ method: 'POST', headers: this.#headers.post, body }, listener)
  }

  resume(lastEventId: string | undefined, listener: RoundListener): HttpRound {
    return this.#origin.send({ method: 'GET', headers: this.#headers.get(lastEventId) }, listener)
  }

  accepted(request: Request, headers: IncomingHttpHeaders): void {
    if (request.method === methods.initialize) this.#headers.opened(headers)
  }

  unknown(): void {
    this.#lost = true
  }

  linger(answer: AnswerStream): void {
    this.#lingering.add(answer)
  }

  part(answer: AnswerStream, farewell: Notification): void {
    this.#lingering.add(answer)
    void this.#part(answer, farewell)
  }

  ended(answer: AnswerStream): void {
    this.#lingering.delete(answer)
  }

  report(message: string, fields: Readonly<Record<string, unknown>>): void {
    this.#origin.log.warn(message, fields)
  }

  async #part(answer: AnswerStream, farewell: Notification): Promise<void> {
    if (!this.#closed) await this.#deliver(farewell, farewellPatienceMs)
    answer.abort()
  }

  #deliver(message: Notification | Response, patienceMs: number): Promise<HttpFailure | undefined> {
    return delivery((listener) => this.post(message, listener), this, patienceMs)
  }
}
