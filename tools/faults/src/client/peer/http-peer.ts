import { Agent, request } from 'undici'
import type { Dispatcher } from 'undici'
import { createPeer } from './create-peer.ts'
import { createFrameLog } from './frame-log.ts'
import type { Peer } from './peer.ts'

/** A peer whose HTTP shows. */
export interface HttpPeer extends Peer {
  /** What `initialize` gave. */
  readonly session: string | undefined
  /** Opens the session's own stream, or the rest of one; resolves with the status. */
  listen(lastEventId?: string): Promise<number>
  /** The id of the last event received. */
  readonly lastEvent: string | undefined
  /** The headers of the last answer. */
  readonly headers: Readonly<Record<string, unknown>>
  /** Keep-alive comments received. */
  readonly comments: number
  /** Ends the session. */
  end(): Promise<number>
}

/** Opens no connection before the first request. Connections are its own, and are closed with it. */
export function createHttpPeer(url: string, always: Readonly<Record<string, string>> = {}): HttpPeer {
  const log = createFrameLog()
  const agent = new Agent({ headersTimeout: 0, bodyTimeout: 0, connections: null })
  const reading = new Set<Promise<void>>()
  let session: string | undefined
  let lastEvent: string | undefined
  let headers: Readonly<Record<string, unknown>> = {}
  let comments = 0

  const block = (text: string): void => {
    let data = ''
    for (const line of text.split('\n')) {
      if (line.startsWith('id: ')) lastEvent = line.slice(4)
      else if (line.startsWith('data: ')) data += line.slice(6)
      else if (line.startsWith(':')) comments += 1
    }
    if (data !== '') log.add(data)
  }

  const read = async (body: Dispatcher.ResponseData['body'], isStream: boolean): Promise<void> => {
    if (!isStream) {
      const text = await body.text()
      if (text !== '') log.add(text)
      return
    }
    let rest = ''
    body.setEncoding('utf8')
    for await (const chunk of body) {
      const blocks = (rest + String(chunk)).split('\n\n')
      rest = blocks.pop() ?? ''
      for (const text of blocks) block(text)
    }
  }

  const exchange = async (method: 'POST' | 'GET' | 'DELETE', more: object, body?: string | Uint8Array) => {
    const answer = await request(url, {
      method,
      dispatcher: agent,
      headers: {
        accept: method === 'GET' ? 'text/event-stream' : 'application/json, text/event-stream',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(session !== undefined && { 'mcp-session-id': session }),
        ...always,
        ...more,
      },
      ...(body !== undefined && { body }),
    })
    headers = answer.headers
    const given = answer.headers['mcp-session-id']
    if (typeof given === 'string') session = given
    const isStream = String(answer.headers['content-type']).startsWith('text/event-stream')
    // A connection that ends early ends what it says; what is missing is missed by whoever waits for it.
    const done = read(answer.body, isStream).catch(() => {})
    reading.add(done)
    void done.finally(() => reading.delete(done))
    return answer.statusCode
  }

  const peer = createPeer({
    transport: 'http',
    log,
    send: (frame) => exchange('POST', {}, frame),
    async close() {
      await agent.destroy()
      await Promise.all(reading)
    },
  })
  return Object.defineProperties(
    Object.assign(peer, {
      listen: (lastEventId?: string) =>
        exchange('GET', lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
      end: () => exchange('DELETE', {}),
    }),
    {
      session: { get: () => session },
      lastEvent: { get: () => lastEvent },
      headers: { get: () => headers },
      comments: { get: () => comments },
    },
  ) as HttpPeer
}
