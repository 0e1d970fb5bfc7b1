import type { JsonObject } from '@junctor/jsonrpc'
import { causeOf, fetchAnywhere, Unanswered } from './fetch-anywhere.ts'
import type { ClientOptions } from './storm-client.ts'

/** The answer to an HTTP request. */
export interface Posted {
  readonly status: number
  /** Empty when the answer has no session id. */
  readonly session: string
  readonly messages: readonly JsonObject[]
}

/**
 * Posts a hand-written message to some gateway, and reads the whole answer. Rejects with {@link Unanswered}.
 *
 * @param onMessage called with each message when it arrives
 */
export async function post(
  { key, anywhere }: ClientOptions,
  message: JsonObject,
  more: Readonly<Record<string, string>> = {},
  onMessage: (message: JsonObject) => void = () => {},
): Promise<Posted> {
  const response = await fetchAnywhere(anywhere, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      accept:
        message['jsonrpc'] === '3.0' ? 'application/json, application/x-ndjson' : 'application/json, text/event-stream',
      'content-type': 'application/json',
      ...more,
    },
    body: JSON.stringify(message),
  })
  const { status } = response
  const session = response.headers.get('mcp-session-id') ?? ''
  const isEvents = response.headers.get('content-type')?.startsWith('text/event-stream') === true
  const messages: JsonObject[] = []
  const take = (line: string): void => {
    for (const text of isEvents ? dataOf(line) : [line]) {
      if (text === '' || status === 202) continue
      const one = JSON.parse(text) as JsonObject
      messages.push(one)
      onMessage(one)
    }
  }
  try {
    let rest = ''
    for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const lines = (rest + piece).split('\n')
      rest = lines.pop() ?? ''
      lines.forEach(take)
    }
    take(rest)
  } catch (error) {
    throw new Unanswered({ kind: 'lost', what: causeOf(error) })
  }
  return { status, session, messages }
}

function dataOf(line: string): readonly string[] {
  return line.startsWith('data: ') ? [line.slice('data: '.length)] : []
}

/** The response to a request in an answer. Rejects when the stream ended without it. */
export function responseOf({ messages }: Posted, id: unknown): JsonObject {
  const found = messages.find((message) => message['id'] === id && ('result' in message || 'error' in message))
  if (found === undefined) throw new Unanswered({ kind: 'lost', what: 'the stream ended without the answer' })
  return found
}
