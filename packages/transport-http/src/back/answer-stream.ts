import type { Exchange } from '@junctor/exchange'
import type { IncomingHttpHeaders } from 'node:http'
import type { ListNode, Redact } from '@junctor/primitives'
import {
  type ErrorResponse,
  type Message,
  type Notification,
  numberedId,
  type Request,
  type Response,
} from '@junctor/jsonrpc'
import { cutOff, explained, type HttpFailure, refusal } from './http-failure.ts'
import type { BodyKind, Round, RoundEnd, RoundListener } from './http-round.ts'
import { judgeResponse } from './judge-response.ts'
import type { EndingStream } from './ending-streams.ts'
import { readMessages, type ReadingReport } from './read-messages.ts'
import { reconnectDelay } from './reconnect-delay.ts'
import { resumableId } from './resumable-id.ts'
import type { RequestHost } from './send-message.ts'

/** Receives what belongs to one request: its messages, in order, then exactly one response or failure. */
export interface AnswerListener {
  /** The call for which the request is sent. Absent: it is of the session itself. */
  readonly exchange?: Exchange | undefined
  /** Called with a request or notification from the server, on this request's own stream. */
  message(message: Request | Notification): void
  /** The response has arrived. */
  answered(response: Response): void
  /** There will be no response. */
  failed(failure: HttpFailure): void
}

/** A request in flight. */
export interface PendingAnswer {
  /** Whether the request was sent, in whole or in part. */
  readonly sent: boolean
  /**
   * Stops calling the listener. With a farewell, the client sends it to the server before it closes the stream: for
   * servers of the handshake era a lost connection is not a cancellation.
   */
  abandon(farewell?: Notification): void
}

/** What an answer needs from its session. */
export interface AnswerHost extends ReadingReport, RequestHost {
  /** Sends the request. */
  post(message: Message, listener: RoundListener, exchange?: Exchange): Round
  /** Requests the rest of a stream. */
  resume(lastEventId: string, listener: RoundListener, exchange?: Exchange): Round
  /** Called with the headers of a successful response. */
  accepted(request: Request, headers: IncomingHttpHeaders): void
  /**
   * Called when the response has arrived while its stream is still open: the session aborts the stream if it stays
   * open.
   */
  linger(stream: AnswerStream): void
  /** Called when the stream is no longer needed: the session aborts it after the server has received the farewell. */
  part(stream: AnswerStream, farewell: Notification): void
  /** Called when a stream has ended, with or without a response. */
  ended(stream: AnswerStream): void
}

/** How many consecutive attempts to resume a stream may bring no event. */
const resumeAttempts = 5

/**
 * The answer to one request: a JSON body, or a stream of events that may break and be resumed (2025-11-25, Streamable
 * HTTP, "Resumability and Redelivery"). The request itself is sent once and never again.
 */
export class AnswerStream implements RoundListener, PendingAnswer, EndingStream {
  place: ListNode<EndingStream> | undefined = undefined
  readonly #host: AnswerHost
  readonly #request: Request
  readonly #listener: AnswerListener
  #round: Round
  #failure: HttpFailure | undefined
  #streaming = false
  #settled = false
  #lastEventId: string | undefined
  #retryMs: number | undefined
  #attempt = 0
  #timer: NodeJS.Timeout | undefined

  constructor(host: AnswerHost, request: Request, listener: AnswerListener) {
    this.#host = host
    this.#request = request
    this.#listener = listener
    this.#round = host.post(request, this, listener.exchange)
  }

  get sent(): boolean {
    return this.#streaming || this.#round.sent
  }

  abandon(farewell?: Notification): void {
    const wasOver = this.#settled
    this.#settled = true
    clearTimeout(this.#timer)
    if (farewell === undefined || wasOver || !this.sent) this.#round.abort()
    else this.#host.part(this, farewell)
  }

  /** Closes the stream. */
  abort(): void {
    this.abandon()
  }

  head(status: number, headers: IncomingHttpHeaders): BodyKind {
    const verdict = judgeResponse(status, headers)
    switch (verdict.kind) {
      case 'events':
        if (!this.#streaming) this.#host.accepted(this.#request, headers)
        this.#streaming = true
        return 'events'
      case 'json':
        this.#host.accepted(this.#request, headers)
        return 'whole'
      case 'accepted':
        this.#failure = { kind: 'unusable', what: `expected an answer, got HTTP ${status} without one` }
        return 'ignored'
      case 'refused':
        this.#failure = refusal(status, headers, this.#host.hasSession)
        if (this.#failure.kind === 'session_unknown') this.#host.unknown()
        return 'whole'
      case 'unusable':
        break
    }
    this.#failure = verdict
    return 'ignored'
  }

  whole(body: Uint8Array, hide: Redact): void {
    const { kind } = this.#failure ?? { kind: undefined }
    if (kind === 'session_unknown') return
    const problems = kind === 'refused' ? { backend: this.#host.backend, report() {} } : this.#host
    for (const message of readMessages(body, problems)) {
      // An error that refuses a request explains the failure, whatever id the server gives it.
      if (kind === undefined || message.kind !== 'error' || this.#isOwn(message)) this.#take(message)
    }
    this.#failure = explained(this.#failure, body, hide)
  }

  event(type: string, data: string): void {
    this.#attempt = 0
    if (type === 'endpoint' && !this.#settled) return this.#refuseOldStream()
    if (type !== 'message' || data === '' || this.#settled) return
    for (const message of readMessages(data, this.#host)) this.#take(message)
  }

  id(id: string): void {
    this.#attempt = 0
    this.#lastEventId = resumableId(id)
  }

  retry(ms: number): void {
    this.#retryMs = ms
  }

  over(end: RoundEnd): void {
    this.#host.ended(this)
    if (this.#settled) return
    if (this.#streaming && (end.kind === 'complete' || end.kind === 'failed')) this.#broken(end)
    else this.#fail(this.#failure ?? failureOf(end))
  }

  /** Some servers open their stream of HTTP+SSE for any method. It names an endpoint, and brings no response. */
  #refuseOldStream(): void {
    this.#fail({ kind: 'old_stream' })
    this.#round.abort()
  }

  /** Called when the stream ended before the response arrived. */
  #broken(end: RoundEnd): void {
    const id = this.#lastEventId
    const refused = this.#failure
    this.#failure = undefined
    if (id === undefined) return this.#fail({ kind: 'interrupted', what: 'the stream ended without the response' })
    if (refused !== undefined && !isPassing(refused)) {
      return this.#fail({ kind: 'interrupted', what: 'the stream ended without the response and cannot be resumed' })
    }
    this.#attempt += 1
    if (this.#attempt > resumeAttempts) {
      const what = `the stream ended without the response, and ${resumeAttempts} attempts to resume it brought nothing`
      return this.#fail({ kind: 'interrupted', what, ...(end.kind === 'failed' ? { error: end.error } : {}) })
    }
    const pause = reconnectDelay(this.#attempt, this.#retryMs, Math.random())
    this.#timer = setTimeout(() => {
      this.#round = this.#host.resume(id, this, this.#listener.exchange)
    }, pause)
  }

  #take(message: Message): void {
    if (this.#settled) return
    if (message.kind === 'request' || message.kind === 'notification') this.#listener.message(message)
    // A body or stream answers one request, so an error without an id belongs to this one.
    else if (isUnnamed(message)) this.#answered({ ...message, id: this.#request.id })
    else if ((message.kind === 'result' || message.kind === 'error') && this.#isOwn(message)) {
      this.#answered(message)
    } else this.#host.report('a response on the stream of another request was dropped', { id: message.id })
  }

  #isOwn({ id }: Response): boolean {
    return id === this.#request.id || (id !== undefined && numberedId(id) === this.#request.id)
  }

  #answered(response: Response): void {
    if (this.#settled) return
    this.#settled = true
    if (this.#streaming) this.#host.linger(this)
    this.#listener.answered(response)
  }

  #fail(failure: HttpFailure): void {
    this.#settled = true
    this.#listener.failed(failure)
  }
}

function isUnnamed(message: Message): message is ErrorResponse & { readonly id: undefined } {
  return message.kind === 'error' && message.id === undefined
}

/** The failure for a round that ended without a response. */
function failureOf(end: RoundEnd): HttpFailure {
  switch (end.kind) {
    case 'failed':
      return cutOff(end)
    case 'too_large':
      return { kind: 'unusable', what: 'the answer is larger than the limit' }
    case 'not_utf8':
      return { kind: 'unusable', what: 'expected an answer in UTF-8, got other bytes' }
    case 'undecodable':
      return { kind: 'unusable', what: 'the answer does not have the content coding that its header names' }
    case 'complete':
      break
  }
  return { kind: 'unusable', what: 'the body holds no response to the request' }
}

/** Whether the server may give the stream later: it, or a proxy before it, is overloaded or starting. */
function isPassing(failure: HttpFailure): boolean {
  return failure.kind === 'refused' && (failure.status === 429 || failure.status >= 500)
}
