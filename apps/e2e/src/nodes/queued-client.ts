import type { JsonObject } from '@junctor/jsonrpc'
import { QueuedAnswers } from './queued-answers.ts'

const revision = '2025-03-26'

/** A client whose calls are accepted with 202, and answered on its session's stream. */
export interface QueuedClient {
  /**
   * Sends a call. Resolves with the status of the response, or `undefined` when the connection was lost. Sends it again
   * while the answer is 503: that was not accepted, because storage was too slow.
   */
  send(url: string, id: number, name: string, args: JsonObject): Promise<number | undefined>
  /** Reads the stream from now on. When it ends, continues at the next URL, after the last received event. */
  listen(urls: readonly string[]): void
  /** The ids of the received answers, in order. */
  readonly answered: readonly number[]
  /** The statuses of the opened streams. */
  readonly streams: readonly number[]
  close(): Promise<void>
}

/** Opens a session. The ids of its calls distinguish the answers. */
export async function openQueuedClient(url: string, headers: Readonly<Record<string, string>>): Promise<QueuedClient> {
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
  const hello = { protocolVersion: revision, capabilities: {}, clientInfo: { name: 'queued', version: '1' } }
  const opened = await post(url, { id: 'open', method: 'initialize', params: hello }, {})
  const text = await opened.text()
  const session = opened.headers.get('mcp-session-id')
  if (session === null) throw new Error(`Expected a session, got ${opened.status}: ${text}`)
  const named = { 'mcp-session-id': session }
  const stream = new QueuedAnswers({ ...headers, ...named })

  const send: QueuedClient['send'] = async (to, id, name, args) => {
    try {
      const params = { name, arguments: args }
      const response = await post(to, { id, method: 'tools/call', params }, { prefer: 'respond-async', ...named })
      await response.text()
      return response.status === 503 ? await send(to, id, name, args) : response.status
    } catch {
      return undefined
    }
  }

  return {
    answered: stream.answered,
    streams: stream.statuses,
    send,
    listen: (urls) => stream.follow(urls),
    close: () => stream.close(),
  }
}
