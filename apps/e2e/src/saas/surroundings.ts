import { EventListening } from './event-listening.ts'
import type { Listening, Surroundings } from './mcp-client.ts'

/** What a POST was answered with, at once. */
interface DirectAnswer {
  readonly status: number
  readonly contentType: string | null
  readonly body: string
}

/** The surroundings of one client, and what can be seen of it in them. */
export interface WatchedSurroundings extends Surroundings {
  /** Answers to its POSTs, in order. */
  readonly posts: readonly DirectAnswer[]
  /** What it wrote to its console, in order. */
  readonly written: readonly (readonly unknown[])[]
  /** Ends the streams that the client has left open: the document's client closes those of events alone. */
  close(): Promise<void>
}

/** What the client takes for one server are these, in turn: whatever its base URL, only the path counts. */
export function createSurroundings(urls: readonly string[]): WatchedSurroundings {
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
    if (init.method !== 'POST') return response
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
