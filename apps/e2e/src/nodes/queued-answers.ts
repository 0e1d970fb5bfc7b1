import { setTimeout } from 'node:timers/promises'
import type { JsonObject } from '@junctor/jsonrpc'
import { readEvents } from '@junctor/testkit'

/** How long a client waits before it opens its stream again, in milliseconds. */
const pauseMs = 50

/** The answers on a session's own stream, which is opened again when it ends. */
export class QueuedAnswers {
  /** The ids of the received answers, in order. */
  readonly answered: number[] = []
  /** The statuses of the opened streams. */
  readonly statuses: number[] = []
  readonly #headers: Readonly<Record<string, string>>
  readonly #leaving = new AbortController()
  #following: Promise<void> | undefined
  #lastEvent: string | undefined

  /** @param headers the headers of the session's requests */
  constructor(headers: Readonly<Record<string, string>>) {
    this.#headers = headers
  }

  /** Reads the stream from now on. When it ends, continues at the next URL, after the last received event. */
  follow(urls: readonly string[]): void {
    this.#following = this.#follow(urls)
  }

  async close(): Promise<void> {
    this.#leaving.abort()
    await this.#following
  }

  async #follow(urls: readonly string[]): Promise<void> {
    for (let turn = 0; !this.#leaving.signal.aborted; turn += 1) {
      // oxlint-disable no-await-in-loop -- one stream after the other
      await this.#read(urls[turn % urls.length] as string).catch(() => {})
      await setTimeout(pauseMs)
      // oxlint-enable no-await-in-loop
    }
  }

  /** Reads a stream to its end. */
  async #read(url: string): Promise<void> {
    const response = await fetch(url, {
      headers: {
        ...this.#headers,
        accept: 'text/event-stream',
        ...(this.#lastEvent !== undefined && { 'last-event-id': this.#lastEvent }),
      },
      signal: this.#leaving.signal,
    })
    this.statuses.push(response.status)
    if (!response.ok) this.#lastEvent = undefined
    for await (const { id: event, data } of readEvents(response)) {
      this.#lastEvent = event ?? this.#lastEvent
      if (!data.startsWith('{')) continue
      const { id } = JSON.parse(data) as JsonObject
      if (typeof id === 'number') this.answered.push(id)
    }
  }
}
