import type { JsonObject } from '@junctor/jsonrpc'

/** The answer to a message: the last message of its stream. */
export interface Posted {
  readonly status: number
  readonly session: string
  readonly body: JsonObject
}

/** Sends a message to a gateway. */
export async function post(
  url: string,
  message: JsonObject,
  session = '',
  more: Readonly<Record<string, string>> = {},
): Promise<Posted> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      connection: 'close',
      ...more,
      ...(session !== '' && { 'mcp-session-id': session }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', ...message }),
  })
  const text = await answer.text()
  const line =
    text
      .split('\n')
      .findLast((one) => one.startsWith('data: {'))
      ?.slice('data: '.length) ?? text
  return {
    status: answer.status,
    session: answer.headers.get('mcp-session-id') ?? '',
    body: (line === '' ? {} : JSON.parse(line)) as JsonObject,
  }
}

/** Opens a session, and returns its id. */
export async function open(url: string): Promise<string> {
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
  const { session } = await post(url, { id: 0, method: 'initialize', params })
  await post(url, { method: 'notifications/initialized' }, session)
  return session
}
