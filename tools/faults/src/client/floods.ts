import type { JsonObject } from '@junctor/jsonrpc'
import { openSocket, requestText } from './raw-socket.ts'
import { until } from './until.ts'

/** The kinds of notifications that backends send in floods. */
export const floodKinds = ['message', 'progress', 'list_changed'] as const

/** Requests a flood from the loud server. */
export function floodRequest(kind: (typeof floodKinds)[number], count: number): JsonObject {
  return { name: 'loud__flood', arguments: { kind, count }, _meta: { progressToken: 'flood' } }
}

const notification = (method: string, params?: JsonObject): string =>
  JSON.stringify({ jsonrpc: '2.0', method, ...(params && { params }) })

/** The floods of clients: for the backend, for another node, for no receiver. */
export const floodsOfClients: Readonly<Record<string, string>> = {
  'changed roots': notification('notifications/roots/list_changed'),
  cancels: notification('notifications/cancelled', { requestId: 'nobody' }),
  progress: notification('notifications/progress', { progressToken: 'nobody', progress: 1 }),
  'unknown notifications': notification('notifications/nobody-knows-this'),
}

const headersOf = (session: string): Readonly<Record<string, string>> => ({
  'mcp-session-id': session,
  accept: 'application/json, text/event-stream',
  'content-type': 'application/json',
})

/** Posts a message, and reads the answer until a word in it. */
export async function exchange(url: string, session: string, message: string, word: string): Promise<void> {
  const { socket } = await openSocket(url)
  let tail = ''
  let found = false
  socket.on('data', (chunk: string) => {
    found ||= (tail + chunk).includes(word)
    tail = chunk.slice(-word.length)
  })
  socket.write(requestText(url, 'POST', headersOf(session), message))
  await until(`"${word}"`, () => found)
  socket.destroy()
}

/** Posts a notification many times on one connection, without waiting for the answers. */
export async function pipeline(url: string, session: string, message: string, times: number): Promise<void> {
  const socket = await openSocket(url)
  const text = requestText(url, 'POST', headersOf(session), message).repeat(100)
  for (let sent = 0; sent < times; sent += 100) {
    // oxlint-disable-next-line no-await-in-loop
    await new Promise((resolve) => socket.socket.write(text, resolve))
  }
  await until('all answers', () => socket.received().split('HTTP/1.1 202').length - 1 === times)
  socket.socket.destroy()
}
