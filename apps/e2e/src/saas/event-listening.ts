import { readEvents } from '@junctor/testkit'
import type { Listening, BrowserEnvironment } from './document-client.ts'

type EventListener = (event: { readonly data: string }) => void

/** Reads a stream of events from its start to its end, and calls the listeners of each event's name. */
export class EventListening implements Listening {
  /** Resolves when the stream has ended. */
  readonly ended: Promise<void>
  readonly #listeners = new Map<string, EventListener>()
  readonly #closing = new AbortController()

  /** @param leaving aborted when the reader leaves; after that, an end is not an error */
  constructor(
    fetch: BrowserEnvironment['fetch'],
    url: string,
    headers: Readonly<Record<string, string>>,
    leaving: AbortSignal,
  ) {
    this.ended = this.#read(fetch, url, headers).catch((error: unknown) => {
      if (!leaving.aborted && !this.#closing.signal.aborted) this.#emit('error', String(error))
    })
  }

  addEventListener(name: string, listener: EventListener): void {
    this.#listeners.set(name, listener)
  }

  close(): void {
    this.#closing.abort()
  }

  async #read(
    fetch: BrowserEnvironment['fetch'],
    url: string,
    headers: Readonly<Record<string, string>>,
  ): Promise<void> {
    const asked = { ...headers, accept: 'text/event-stream', 'cache-control': 'no-cache' }
    const response = await fetch(url, { headers: asked, signal: this.#closing.signal })
    if (!response.ok) throw new Error(`HTTP ${response.status}`)
    for await (const { name, data } of readEvents(response)) this.#emit(name, data)
  }

  #emit(name: string, data: string): void {
    this.#listeners.get(name)?.({ data })
  }
}
