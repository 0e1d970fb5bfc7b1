import type { JsonValue } from '@junctor/jsonrpc'
import { readAnswer } from './read-answer.ts'
import { createReceivedLog } from './received-log.ts'
import type { OpenWire } from './wire.ts'

/** An HTTP response, up to its head. */
export interface HttpAnswer {
  readonly status: number
  readonly headers: Headers
  /** The name of its stream in `received`: `get` for the first GET, else the method and a number. */
  readonly stream: string
  /** Resolves when the response was read to its end, or dropped. */
  readonly ended: Promise<void>
  /** Closes the connection, as if it had broken. */
  drop(): void
}

/** Streamable HTTP by hand. Each request goes to the next URL. The headers of a test replace the default headers. */
export interface HttpWire extends OpenWire {
  /** The session id from `initialize`. */
  session: string | undefined
  /** Sends a message and returns the response. Messages in the response go to `received`. */
  post(message: JsonValue, headers?: Readonly<Record<string, string>>): Promise<HttpAnswer>
  /** Opens a GET stream; messages go to `received`. */
  get(headers?: Readonly<Record<string, string>>): Promise<HttpAnswer>
  delete(headers?: Readonly<Record<string, string>>): Promise<HttpAnswer>
  listen(): Promise<void>
}

/**
 * Creates a wire that sends nothing by itself. `close` breaks all its connections; it does not end the session at the
 * gateway.
 *
 * @param urls of the nodes: requests go to them in turn
 * @param always headers of every request
 */
export function createHttpWire(urls: readonly string[], always: Readonly<Record<string, string>> = {}): HttpWire {
  const log = createReceivedLog()
  const stopping = new AbortController()
  const open = new Set<Promise<void>>()
  let requests = 0
  let posts = 0
  let gets = 0

  const exchange = async (
    method: string,
    body: string | undefined,
    extra: Readonly<Record<string, string>>,
    stream: string,
  ): Promise<HttpAnswer> => {
    const dropping = new AbortController()
    const signal = AbortSignal.any([stopping.signal, dropping.signal])
    const url = urls[requests++ % urls.length] as string
    const headers = { ...usualHeaders(method, wire.session), ...always, ...extra }
    const response = await fetch(url, { method, headers, ...(body !== undefined && { body }), signal })
    wire.session ??= response.headers.get('mcp-session-id') ?? undefined
    const ended = readAnswer(response, (message, eventId) =>
      log.add({ message, stream, ...(eventId !== undefined && { eventId }) }),
    ).catch((error: unknown) => {
      if (!signal.aborted) throw error
    })
    open.add(ended)
    void ended.finally(() => open.delete(ended))
    return { status: response.status, headers: response.headers, stream, ended, drop: () => dropping.abort() }
  }

  const wire: HttpWire = {
    session: undefined,
    received: log.received,
    until: log.until,
    onMessage: log.onMessage,
    post: (message, headers = {}) => exchange('POST', JSON.stringify(message), headers, `post ${++posts}`),
    get: (headers = {}) => exchange('GET', undefined, headers, ++gets === 1 ? 'get' : `get ${gets}`),
    async delete(headers = {}) {
      const answer = await exchange('DELETE', undefined, headers, 'delete')
      await answer.ended
      return answer
    },
    async send(message) {
      await wire.post(message)
    },
    async listen() {
      await wire.get()
    },
    async close() {
      stopping.abort()
      await Promise.allSettled(open)
    },
  }
  return wire
}

/** The headers that every client sends. */
function usualHeaders(method: string, session: string | undefined): Readonly<Record<string, string>> {
  return {
    accept: method === 'GET' ? 'text/event-stream' : 'application/json, text/event-stream',
    ...(method === 'POST' && { 'content-type': 'application/json' }),
    ...(session !== undefined && { 'mcp-session-id': session }),
  }
}
