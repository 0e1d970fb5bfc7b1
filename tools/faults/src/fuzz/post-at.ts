import type { JsonObject } from '@junctor/jsonrpc'
import { readEvents } from '@junctor/testkit'

/** Default: a POST that waits for the whole answer, a minute at most. */
export interface PostOptions {
  readonly headers: Readonly<Record<string, string>>
  readonly onMessage?: (message: JsonObject) => void
  /** Closes the connection after this time. */
  readonly abortAfterMs?: number
  /** Sends a DELETE, without a body. */
  readonly isDelete?: boolean
}

/** The result of a request. */
export interface PostedAt {
  /** Undefined when its connection was lost before the answer was complete, or it took too long. */
  readonly status: number | undefined
  /** Set when the connection was refused, so that nothing was sent. */
  readonly isRefused?: boolean
  /** How the request failed, as text, when it has no status; the body, when it was refused. */
  readonly failure?: string
  /** Empty when the answer had no session id. */
  readonly session: string
}

/** Longer than any call takes, and than a node needs to notice the loss of another one. In milliseconds. */
export const answerTimeoutMs = 60_000

/** Sends a message to exactly this node, and reads the answer: events, lines or JSON. Never rejects. */
export async function postAt(url: string, message: JsonObject, options: PostOptions): Promise<PostedAt> {
  const { headers, onMessage, abortAfterMs = answerTimeoutMs, isDelete } = options
  const lines = message['jsonrpc'] === '3.0' ? 'application/x-ndjson' : 'text/event-stream'
  try {
    const response = await fetch(url, {
      method: isDelete === true ? 'DELETE' : 'POST',
      headers: { accept: `application/json, ${lines}`, 'content-type': 'application/json', ...headers },
      ...(isDelete !== true && { body: JSON.stringify(message) }),
      signal: AbortSignal.timeout(abortAfterMs),
    })
    const { status } = response
    const receive = (each: string): void => {
      // The body of a 202 reports only that the request was accepted.
      if (status !== 202 && each.startsWith('{')) onMessage?.(JSON.parse(each) as JsonObject)
    }
    const session = response.headers.get('mcp-session-id') ?? ''
    if (response.headers.get('content-type')?.startsWith('text/event-stream') === true) {
      for await (const { data } of readEvents(response)) receive(data)
      return { status, session }
    }
    const text = await response.text()
    for (const line of text.split('\n')) receive(line)
    return { status, session, ...(!response.ok && { failure: text }) }
  } catch (error) {
    const { cause } = error as Error
    const failure = cause instanceof Error ? `${String(error)}: ${cause.message}` : String(error)
    return { status: undefined, isRefused: isRefused(error), failure, session: '' }
  }
}

/** Whether the connection of a `fetch` that failed was refused, so that nothing was sent. */
export function isRefused(error: unknown): boolean {
  const { code } = ((error as Error).cause ?? {}) as { code?: unknown }
  return code === 'ECONNREFUSED'
}
