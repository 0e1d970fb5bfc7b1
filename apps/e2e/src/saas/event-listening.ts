import { readEvents } from '@junctor/testkit'
import type { Listening, Surroundings } from './mcp-client.ts'

type EventListener = (event: { readonly data: string }) => void

/** Reads a stream of events from its opening on, for as long as it goes, and tells each to the listener of its name. */
export class EventListening implements Listening {
  /** Resolves when it is over. */
  readonly ended: Promise<void>
  readonly #listeners = new Map<string, EventListener>()
  readonly #closing = new AbortController()

  /** @param leaving aborted when whoever reads leaves everything: an end is no error then */
  constructor(
    fetch: Surroundings['fetch'],
    url: string,
    headers: Readonly<Record<string, string>>,
    leaving: AbortSignal,
  ) {
    this.ended = this.#read(fetch, url, headers).catch((error: unknown) => {
      if (!leaving.aborted && !this.#closing.signal.aborted) this.#tell('error', String(error))
    })
  }

  addEventListener(name: string, listener: EventListener): void {
    this.#listeners.set(name, listener)
  }

  close(): void {
    this.#closing.abort()
  }

  async #read(fetch: Surroundings['fetch'], url: string, headers: Readonly<Record<string, string>>): Promise<void> {
    const asked = { ...headers, accept: 'text/event-stream', 'cache-control': 'no-cache' }
    const response = await fetch(url, { headers: asked, signal: this.#closing.signal })
    if (!response.ok) throw new Error(`HTTP ${response.status}`)
    for await (const { name, data } of readEvents(response)) this.#tell(name, data)
  }

  #tell(name: string, data: string): void {
    this.#listeners.get(name)?.({ data })
  }
}
