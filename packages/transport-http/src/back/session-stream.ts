import type { IncomingHttpHeaders } from 'node:http'
import type { Notification, Request } from '@junctor/jsonrpc'
import type { BodyKind, Round, RoundEnd, RoundListener } from './http-round.ts'
import { judgeResponse } from './judge-response.ts'
import { readMessages, type ReadingReport } from './read-messages.ts'
import { reconnectDelay } from './reconnect-delay.ts'
import { resumableId } from './resumable-id.ts'
import type { RequestHost } from './send-message.ts'

/** Receives messages of the server outside requests. */
export interface SessionListener {
  /** Receives one request or notification of the server. */
  message(message: Request | Notification): void
  /** Called when the server no longer knows the session: no message will follow. */
  lost(): void
  /** Called when the server has opened the stream before, and refuses it now with 400 or 401: it may not know the session. */
  doubtful(): void
}

/** What a session's own stream needs from its session. */
export interface SessionStreamHost extends ReadingReport, RequestHost {
  /** Requests the stream, or its rest after an event. */
  resume(lastEventId: string | undefined, listener: RoundListener): Round
}

/**
 * The stream that a server uses for messages outside requests (2025-11-25, Streamable HTTP, "Listening for Messages
 * from the Server"). It is requested again, and resumed, for as long as the session lives. A server may refuse to have
 * one.
 */
export class SessionStream implements RoundListener {
  readonly #host: SessionStreamHost
  readonly #listener: SessionListener
  readonly #decided = Promise.withResolvers<void>()
  #round: Round
  /** The next step when the current round has ended. */
  #next: 'again' | 'none' = 'again'
  #lastEventId: string | undefined
  #retryMs: number | undefined
  #attempt = 0
  #timer: NodeJS.Timeout | undefined
  /** Whether the server has opened the stream at least once. */
  #given = false
  #closed = false

  constructor(host: SessionStreamHost, listener: SessionListener) {
    this.#host = host
    this.#listener = listener
    this.#round = host.resume(undefined, this)
  }

  /** Resolves when the server has opened the stream for the first time, or has refused it. */
  get decided(): Promise<void> {
    return this.#decided.promise
  }

  close(): void {
    this.#closed = true
    clearTimeout(this.#timer)
    this.#round.abort()
    this.#decided.resolve()
  }

  head(status: number, headers: IncomingHttpHeaders): BodyKind {
    this.#decided.resolve()
    const { kind } = judgeResponse(status, headers)
    this.#next = 'again'
    if (kind === 'events') {
      this.#given = true
      return 'events'
    }
    // Many servers do not support GET and answer 404 instead of 405: the session is not lost then.
    if (status === 404 && this.#given && this.#host.hasSession) this.#forgotten()
    if (isPassing(status)) return 'ignored'
    // A server that cannot resume may still open a new stream.
    if (this.#lastEventId === undefined || status === 404) this.#next = 'none'
    const isDoubtful = status === 400 || status === 401
    if (isDoubtful && this.#next === 'none' && this.#given && this.#host.hasSession) this.#listener.doubtful()
    this.#lastEventId = undefined
    return 'ignored'
  }

  whole(): void {}

  event(type: string, data: string): void {
    this.#attempt = 0
    if (type !== 'message' || data === '') return
    for (const message of readMessages(data, this.#host)) {
      if (message.kind === 'request' || message.kind === 'notification') this.#listener.message(message)
      else this.#host.report('a response outside of its stream was dropped', { id: message.id })
    }
  }

  overlong(): void {
    this.#attempt = 0
    this.#host.report('a server sent a message that is larger than the limit', {})
  }

  id(id: string): void {
    this.#attempt = 0
    this.#lastEventId = resumableId(id)
  }

  retry(ms: number): void {
    this.#retryMs = ms
  }

  over(end: RoundEnd): void {
    this.#decided.resolve()
    if (this.#closed || this.#next === 'none') return
    if (end.kind !== 'complete' && end.kind !== 'failed') {
      this.#host.report('the stream of a session cannot be read', { problem: end.kind })
      this.#lastEventId = undefined
    }
    this.#attempt += 1
    const pause = reconnectDelay(this.#attempt, this.#retryMs, Math.random())
    this.#timer = setTimeout(() => {
      this.#round = this.#host.resume(this.#lastEventId, this)
    }, pause)
    this.#timer.unref()
  }

  #forgotten(): void {
    this.#host.unknown()
    this.#listener.lost()
  }
}

/** Whether the server may open the stream a moment later: 409 means that the old stream is still open. */
function isPassing(status: number): boolean {
  return status === 409 || status === 429 || (status >= 500 && status !== 501)
}
