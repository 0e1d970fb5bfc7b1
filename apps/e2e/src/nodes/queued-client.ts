import { setTimeout } from 'node:timers/promises'
import type { JsonObject } from '@junctor/jsonrpc'

/** How long a client waits before it opens its stream again, in milliseconds. */
const pauseMs = 50

/** A client whose calls are accepted with 202, and answered on its session's stream. */
export interface QueuedClient {
  /** Sends a call; resolves with the status that it was answered with, or `undefined` when its connection was lost. */
  send(url: string, id: number, name: string, args: JsonObject): Promise<number | undefined>
  /** Reads its stream from now on: where that ends, at the next of these, after the last event that it had. */
  listen(urls: readonly string[]): void
  /** The ids of the answers that came, in order. */
  readonly answered: readonly number[]
  /** The statuses of the streams that it opened. */
  readonly streams: readonly number[]
  close(): Promise<void>
}

/** Opens a session. What it does not know, it does not send: answers are told apart by their ids. */
export async function openQueuedClient(url: string, headers: Readonly<Record<string, string>>): Promise<QueuedClient> {
  const answered: number[] = []
  const streams: number[] = []
  const leaving = new AbortController()
  let reading: Promise<void> | undefined
  let lastEvent: string | undefined
  const revision = '2025-03-26'
  const hello = { protocolVersion: revision, capabilities: {}, clientInfo: { name: 'queued', version: '1' } }
  const post = (to: string, message: JsonObject, more: Readonly<Record<string, string>>): Promise<Response> =>
    fetch(to, {
      method: 'POST',
      headers: {
        ...headers,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        connection: 'close',
        ...more,
      },
      body: JSON.stringify({ jsonrpc: '2.0', ...message }),
    })
  const opened = await post(url, { id: 'open', method: 'initialize', params: hello }, {})
  const text = await opened.text()
  const session = opened.headers.get('mcp-session-id')
  if (session === null) throw new Error(`Expected a session, got ${opened.status}: ${text}`)
  const named = { 'mcp-session-id': session }

  /** Reads a stream to its end. Lines that begin with `data: ` or are JSON hold messages. */
  const read = async (from: string): Promise<void> => {
    const response = await fetch(from, {
      headers: {
        ...headers,
        accept: 'text/event-stream',
        ...named,
        ...(lastEvent !== undefined && { 'last-event-id': lastEvent }),
      },
      signal: leaving.signal,
    })
    streams.push(response.status)
    if (!response.ok) lastEvent = undefined
    let rest = ''
    for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const lines = (rest + piece).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        if (line.startsWith('id: ')) lastEvent = line.slice(4)
        if (!line.startsWith('data: {')) continue
        const { id } = JSON.parse(line.slice(6)) as JsonObject
        if (typeof id === 'number') answered.push(id)
      }
    }
  }

  return {
    answered,
    streams,
    async send(to, id, name, args) {
      try {
        const params = { name, arguments: args }
        const response = await post(to, { id, method: 'tools/call', params }, { prefer: 'respond-async', ...named })
        await response.text()
        return response.status
      } catch {
        return undefined
      }
    },
    listen(urls) {
      const follow = async (): Promise<void> => {
        for (let turn = 0; !leaving.signal.aborted; turn += 1) {
          // oxlint-disable no-await-in-loop -- one stream after the other
          await read(urls[turn % urls.length] as string).catch(() => {})
          await setTimeout(pauseMs)
          // oxlint-enable no-await-in-loop
        }
      }
      reading = follow()
    },
    async close() {
      leaving.abort()
      await reading
    },
  }
}
