import type { JsonObject } from '@junctor/jsonrpc'
import { causeOf, fetchAnywhere, Unanswered } from './fetch-anywhere.ts'
import type { ClientOptions } from './storm-client.ts'

/** What an HTTP request was answered with. */
export interface Posted {
  readonly status: number
  /** Empty when none was named. */
  readonly session: string
  readonly messages: readonly JsonObject[]
}

/** Posts a message by hand to some gateway, and reads all that it is answered with. Rejects with {@link Unanswered}. */
export async function post(
  { key, anywhere }: ClientOptions,
  message: JsonObject,
  more: Readonly<Record<string, string>> = {},
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
  let text: string
  try {
    text = await response.text()
  } catch (error) {
    throw new Unanswered({ kind: 'lost', what: causeOf(error) })
  }
  if (status === 202) return { status, session, messages: [] }
  const lines = text.split('\n').flatMap((line) => (isEvents ? dataOf(line) : [line]))
  return {
    status,
    session,
    messages: lines.filter((line) => line !== '').map((line) => JSON.parse(line) as JsonObject),
  }
}

function dataOf(line: string): readonly string[] {
  return line.startsWith('data: ') ? [line.slice('data: '.length)] : []
}

/** The response to a request among what came. Rejects when the stream ended without it. */
export function responseOf({ messages }: Posted, id: unknown): JsonObject {
  const found = messages.find((message) => message['id'] === id && ('result' in message || 'error' in message))
  if (found === undefined) throw new Unanswered({ kind: 'lost', what: 'the stream ended without the answer' })
  return found
}
