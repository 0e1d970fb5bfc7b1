import { setTimeout as after } from 'node:timers/promises'
import type { JsonObject } from '@junctor/jsonrpc'
import { readEvents } from '@junctor/testkit'
import { fetchAnywhere } from './fetch-anywhere.ts'
import { PendingCalls } from '../../client/pending-calls.ts'
import type { AttemptOutcome } from '../ledger/outcome.ts'
import { endRawSession, openRawSession, type SessionHeaders } from './raw-session.ts'
import type { ClientOptions } from './storm-client.ts'

/** How long to wait before a stream that ended is opened again, in milliseconds. */
const pauseMs = 200

interface QueuedSessionListener {
  /** Called with a message on the session's stream. */
  receive(session: QueuedSession, message: JsonObject): void
  /** Called when no gateway knows the session any more. */
  unknown(session: QueuedSession): void
}

/** A session, and its own stream, which is reopened at any gateway when it ends. */
export class QueuedSession {
  /** The headers of its requests. */
  readonly headers: SessionHeaders
  /** The calls that wait for an answer on the stream. */
  readonly pending: PendingCalls<AttemptOutcome> = new PendingCalls()
  readonly #options: ClientOptions
  readonly #listener: QueuedSessionListener
  readonly #leaving = new AbortController()
  readonly #reading: Promise<void>
  #lastEvent: string | undefined

  constructor(options: ClientOptions, headers: SessionHeaders, listener: QueuedSessionListener) {
    this.#options = options
    this.headers = headers
    this.#listener = listener
    this.#reading = this.#follow()
  }

  /** Called when the session is over: no more answers arrive. */
  lose(what: string): void {
    this.#leaving.abort()
    this.pending.answerAll({ kind: 'lost', what })
  }

  /** Ends the session. Never rejects. */
  async close(): Promise<void> {
    this.#leaving.abort()
    await endRawSession(this.#options, this.headers)
    await this.#reading
  }

  async #follow(): Promise<void> {
    while (!this.#leaving.signal.aborted) {
      // oxlint-disable no-await-in-loop -- one stream after the other
      const wasOpen = await this.#read().catch(() => false)
      if (!wasOpen && !this.#leaving.signal.aborted) await after(pauseMs)
      // oxlint-enable no-await-in-loop
    }
  }

  /** Reads a stream to its end; false when there is none. Rejects when its connection is lost. */
  async #read(): Promise<boolean> {
    const { key, anywhere } = this.#options
    const response = await fetchAnywhere(anywhere, {
      headers: {
        authorization: `Bearer ${key}`,
        accept: 'text/event-stream',
        ...this.headers,
        ...(this.#lastEvent !== undefined && { 'last-event-id': this.#lastEvent }),
      },
      signal: this.#leaving.signal,
    })
    if (response.status === 404) this.#listener.unknown(this)
    // The gateway with the rest of that stream is gone, or has forgotten it: the stream starts again.
    if (response.status === 400) this.#lastEvent = undefined
    if (!response.ok || response.body === null) {
      await response.body?.cancel()
      return false
    }
    for await (const { id, data } of readEvents(response)) {
      this.#lastEvent = id ?? this.#lastEvent
      if (data.startsWith('{')) this.#listener.receive(this, JSON.parse(data) as JsonObject)
    }
    return true
  }
}

/** Opens a session. Rejects with `Unanswered`. */
export async function openQueuedSession(
  options: ClientOptions,
  listener: QueuedSessionListener,
): Promise<QueuedSession> {
  return new QueuedSession(options, await openRawSession(options), listener)
}
