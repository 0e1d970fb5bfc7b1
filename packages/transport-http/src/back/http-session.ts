import type { Exchange } from '@junctor/exchange'
import type { IncomingHttpHeaders } from 'node:http'
import { type Message, type Notification, printMessage, type Request, type Response } from '@junctor/jsonrpc'
import { methods, type Revision } from '@junctor/protocol'
import { type AnswerHost, type AnswerListener, AnswerStream, type PendingAnswer } from './answer-stream.ts'
import { createDeliveryQueue, type DeliveryQueue } from './delivery-queue.ts'
import { sendMessage, deliveryTimeoutMs } from './send-message.ts'
import type { HttpFailure } from './http-failure.ts'
import type { HttpOrigin } from './http-origin.ts'
import type { Round, RoundListener } from './http-round.ts'
import { createEndingStreams, type EndingStreams } from './ending-streams.ts'
import { SessionHeaders } from './session-headers.ts'
import { type SessionListener, SessionStream } from './session-stream.ts'

/**
 * One MCP session over Streamable HTTP (2025-03-26 to 2025-11-25), from its `initialize` on. When the server forgets
 * it, it cannot be restored: the caller opens another one.
 */
export interface HttpSession {
  /** Set permanently when the server has reported that it does not know the session. */
  readonly lost: boolean
  /** Sends a request once. The response to `initialize` contains the session id. */
  request(request: Request, listener: AnswerListener): PendingAnswer
  /**
   * Sends a message that gets no response, when fewer than 64 others are on their way. Resolves with the reason if it
   * was not sent, or if the server did not accept it: 30 seconds after it was sent at most, because no other deadline
   * applies to it.
   */
  send(message: Notification | Response): Promise<HttpFailure | undefined>
  /** Sets the negotiated revision, which every later request carries. */
  negotiated(revision: Revision): void
  /** Opens the session's own stream. Resolves when the server has accepted or refused it, or after half a second. */
  listen(listener: SessionListener): Promise<void>
  /**
   * Closes the session's own stream, ends the session at the server and waits a short while for its answer. The owners
   * of requests in flight must abandon them.
   */
  close(): Promise<void>
}

/** How long `listen` waits, in milliseconds: some servers send the headers of a stream with its first event only. */
const listenTimeoutMs = 500
const farewellTimeoutMs = 2_000

/** Returns headers for one message, by lower-case name. */
export type MessageHeaders = (message: Message) => Readonly<Record<string, string>>

/** Creates a session, of which the server does not know yet. */
export function createHttpSession(origin: HttpOrigin, headersOf?: MessageHeaders): HttpSession {
  return new OriginSession(origin, headersOf)
}

/** The session is also the host of its requests, deliveries and own stream. */
class OriginSession implements HttpSession, AnswerHost {
  readonly #origin: HttpOrigin
  readonly #headers: SessionHeaders
  readonly #headersOf: MessageHeaders | undefined
  readonly #endingStreams: EndingStreams = createEndingStreams()
  readonly #deliveries: DeliveryQueue = createDeliveryQueue()
  #stream: SessionStream | undefined
  #lost = false
  #closed = false
  /** Settles when the server has received the farewells of all streams. */
  #parted: Promise<void> = Promise.resolve()

  constructor(origin: HttpOrigin, headersOf: MessageHeaders | undefined) {
    this.#origin = origin
    this.#headersOf = headersOf
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
    return this.#deliveries.add(() => this.#deliver(message, deliveryTimeoutMs))
  }

  negotiated(revision: Revision): void {
    this.#headers.negotiated(revision)
  }

  async listen(listener: SessionListener): Promise<void> {
    const stream = new SessionStream(this, listener)
    this.#stream = stream
    const timeout = Promise.withResolvers<void>()
    const timer = setTimeout(timeout.resolve, listenTimeoutMs)
    await Promise.race([stream.decided, timeout.promise])
    clearTimeout(timer)
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    this.#stream?.close()
    this.#deliveries.close()
    // The server knows no request of an ended session.
    await this.#parted
    this.#endingStreams.close()
    if (!this.hasSession || this.#lost) return
    const farewell = { method: 'DELETE', headers: this.#headers.delete() } as const
    await sendMessage((listener) => this.#origin.send(farewell, listener), this, farewellTimeoutMs)
  }

  post(message: Message, listener: RoundListener, exchange?: Exchange): Round {
    const body = printMessage(message, { nullId: false })
    const more = this.#headersOf === undefined ? [] : Object.entries(this.#headersOf(message)).flat()
    const headers = more.length === 0 ? this.#headers.post : [...this.#headers.post, ...more]
    return this.#origin.send({ method: 'POST', headers, body, exchange }, listener)
  }

  resume(lastEventId: string | undefined, listener: RoundListener, exchange?: Exchange): Round {
    return this.#origin.send({ method: 'GET', headers: this.#headers.get(lastEventId), exchange }, listener)
  }

  accepted(request: Request, headers: IncomingHttpHeaders): void {
    if (request.method === methods.initialize) this.#headers.opened(headers)
  }

  unknown(): void {
    this.#lost = true
  }

  linger(answer: AnswerStream): void {
    this.#endingStreams.add(answer)
  }

  part(answer: AnswerStream, farewell: Notification): void {
    this.#endingStreams.add(answer)
    const earlier = this.#parted
    this.#parted = this.#part(answer, farewell).then(() => earlier)
  }

  ended(answer: AnswerStream): void {
    this.#endingStreams.delete(answer)
  }

  get backend(): string | undefined {
    return this.#origin.backend
  }

  report(message: string, fields: Readonly<Record<string, unknown>>): void {
    this.#origin.log.warn(message, fields)
  }

  async #part(answer: AnswerStream, farewell: Notification): Promise<void> {
    if (!this.#closed) await this.#deliver(farewell, farewellTimeoutMs)
    answer.abort()
  }

  #deliver(message: Notification | Response, timeoutMs: number): Promise<HttpFailure | undefined> {
    return sendMessage((listener) => this.post(message, listener), this, timeoutMs)
  }
}
