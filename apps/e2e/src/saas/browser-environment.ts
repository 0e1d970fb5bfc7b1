import { EventListening } from './event-listening.ts'
import type { Listening, BrowserEnvironment } from './document-client.ts'

/** The direct response to a POST. */
interface DirectAnswer {
  readonly status: number
  readonly contentType: string | null
  readonly body: string
}

/** The environment of one client, with everything that the client did in it. */
export interface WatchedBrowser extends BrowserEnvironment {
  /** The responses to its POSTs, in order. */
  readonly posts: readonly DirectAnswer[]
  /** The lines that it wrote to its console, in order. */
  readonly written: readonly (readonly unknown[])[]
  /** Ends the streams that the client left open: the document's client closes only event streams. */
  close(): Promise<void>
}

/** A body that ends when its reader leaves: the document's client does not expect that reading fails. */
function untilLeft(body: ReadableStream<Uint8Array> | null, leaving: AbortSignal): ReadableStream<Uint8Array> | null {
  return body && ReadableStream.from(chunksOf(body, leaving))
}

async function* chunksOf(body: ReadableStream<Uint8Array>, leaving: AbortSignal): AsyncGenerator<Uint8Array, void> {
  try {
    yield* body
  } catch (error) {
    if (!leaving.aborted) throw error
  }
}

/** Maps the client's single server to these URLs in turn: of its base URL, only the path is used. */
export function createBrowserEnvironment(urls: readonly string[]): WatchedBrowser {
  const posts: DirectAnswer[] = []
  const written: unknown[][] = []
  const leaving = new AbortController()
  const reading = new Set<Promise<void>>()
  let requests = 0

  const fetchInTurn = async (url: string, init: RequestInit = {}): Promise<Response> => {
    const { pathname, search } = new URL(url)
    const next = new URL(pathname + search, urls[requests++ % urls.length])
    const signal = init.signal ? AbortSignal.any([leaving.signal, init.signal]) : leaving.signal
    const response = await fetch(next, { ...init, signal })
    if (init.method !== 'POST') return new Response(untilLeft(response.body, leaving.signal), response)
    const body = await response.text()
    posts.push({ status: response.status, contentType: response.headers.get('content-type'), body })
    return new Response(body, { status: response.status, headers: response.headers })
  }

  class EventSource implements Listening {
    readonly #listening: EventListening

    constructor(url: string, { headers }: { readonly headers: Readonly<Record<string, string>> }) {
      this.#listening = new EventListening(fetchInTurn, url, headers, leaving.signal)
      reading.add(this.#listening.ended)
    }

    addEventListener(...listener: Parameters<Listening['addEventListener']>): void {
      this.#listening.addEventListener(...listener)
    }

    close(): void {
      this.#listening.close()
    }
  }

  return {
    fetch: fetchInTurn,
    EventSource,
    console: {
      log: (...words: unknown[]) => void written.push(words),
      error: (...words: unknown[]) => void (leaving.signal.aborted || written.push(words)),
    },
    posts,
    written,
    async close() {
      leaving.abort()
      await Promise.all(reading)
    },
  }
}
