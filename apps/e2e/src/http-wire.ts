import type { JsonObject, JsonValue } from '@junctor/jsonrpc'
import { createReceivedLog } from './received-log.ts'
import { readEvents } from './read-events.ts'
import type { OpenWire } from './wire-client.ts'

/** An HTTP answer as far as its head. */
export interface HttpAnswer {
  readonly status: number
  readonly headers: Headers
}

/** Streamable HTTP by hand, each request to the next of the URLs. */
export interface HttpWire extends OpenWire {
  /** The session id that `initialize` gave. */
  session: string | undefined
  /** Sends a message and tells how the request was answered. Messages in the answer go to `received`. */
  post(message: JsonValue, headers?: Readonly<Record<string, string>>): Promise<HttpAnswer>
  /** Opens a GET stream; messages go to `received`. */
  get(headers?: Readonly<Record<string, string>>): Promise<HttpAnswer>
  delete(): Promise<HttpAnswer>
  listen(): Promise<void>
}

export function createHttpWire(urls: readonly string[]): HttpWire {
  const log = createReceivedLog()
  const stopping = new AbortController()
  const open = new Set<Promise<void>>()
  let requests = 0
  let posts = 0

  const ask = async (method: string, body: string | undefined, extra: Readonly<Record<string, string>>) => {
    const url = urls[requests++ % urls.length] as string
    const headers = {
      accept: method === 'GET' ? 'text/event-stream' : 'application/json, text/event-stream',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(wire.session !== undefined && { 'mcp-session-id': wire.session }),
      ...extra,
    }
    return fetch(url, { method, headers, ...(body !== undefined && { body }), signal: stopping.signal })
  }

  const take = async (response: Response, stream: string): Promise<void> => {
    const isStream = response.headers.get('content-type')?.includes('text/event-stream') === true
    if (!isStream) {
      const text = await response.text()
      if (text === '') return
      const parsed = JSON.parse(text) as JsonObject | JsonObject[]
      for (const message of Array.isArray(parsed) ? parsed : [parsed]) log.add({ message, stream })
      return
    }
    for await (const { data, id } of readEvents(response)) {
      if (data === '') continue
      const message = JSON.parse(data) as JsonObject
      log.add({ message, stream, ...(id !== undefined && { eventId: id }) })
    }
  }

  const follow = (response: Response, stream: string): void => {
    const reading = take(response, stream).catch((error: unknown) => {
      if (!stopping.signal.aborted) throw error
    })
    open.add(reading)
    void reading.finally(() => open.delete(reading))
  }

  const wire: HttpWire = {
    session: undefined,
    received: log.received,
    until: log.until,
    onMessage: log.onMessage,
    async post(message, headers = {}) {
      const response = await ask('POST', JSON.stringify(message), headers)
      wire.session ??= response.headers.get('mcp-session-id') ?? undefined
      follow(response, `post ${++posts}`)
      return { status: response.status, headers: response.headers }
    },
    async get(headers = {}) {
      const response = await ask('GET', undefined, headers)
      follow(response, 'get')
      return { status: response.status, headers: response.headers }
    },
    async delete() {
      const response = await ask('DELETE', undefined, {})
      await response.text()
      return { status: response.status, headers: response.headers }
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
