import { once } from 'node:events'
import { WebSocket } from 'undici'
import type { JsonObject } from '@junctor/jsonrpc'
import type { FuzzSession } from './fuzz-ledger.ts'
import { type OpenOptions, openings } from './open-http-session.ts'
import { hear, type Opening, type OpenSession, type SendOptions } from './open-session.ts'
import { patienceMs, type PostedAt } from './post-at.ts'

const lost: PostedAt = { status: undefined, session: '' }
const answered: PostedAt = { status: 200, session: '' }

/** Opens a session that is a WebSocket. */
export async function openSocketSession({ client, kind, node, urls, key }: OpenOptions): Promise<Opening> {
  const began = performance.now()
  const socket = new WebSocket((urls[node] ?? '').replace('http:', 'ws:'), {
    protocols: ['mcp'],
    headers: { authorization: `Bearer ${key}` },
  })
  const session: FuzzSession = {
    id: `socket-${client}-${Math.round(began)}`,
    client,
    kind,
    node,
    began,
    calls: [],
    cursorless: 0,
    forgotten: 0,
  }
  let isLeft = false
  const waiting = new Map<unknown, { heard?: SendOptions['heard']; done: (posted: PostedAt) => void }>()

  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data)) as JsonObject
    if (message['method'] !== undefined) return
    const one = waiting.get(message['id'])
    if (one?.heard === undefined) hear(session, message)
    else one.heard(message)
    waiting.delete(message['id'])
    one?.done(answered)
  })
  socket.addEventListener('close', () => {
    if (!isLeft) session.unknown ??= performance.now()
    for (const { done } of waiting.values()) done(lost)
    waiting.clear()
  })

  const send = (_node: number, message: JsonObject, { heard }: SendOptions = {}): Promise<PostedAt> => {
    if (socket.readyState !== WebSocket.OPEN) return Promise.resolve({ ...lost, isRefused: true })
    const { promise, resolve } = Promise.withResolvers<PostedAt>()
    const id = message['id']
    if (id === undefined) resolve(answered)
    else waiting.set(id, { ...(heard !== undefined && { heard }), done: resolve })
    socket.send(JSON.stringify({ jsonrpc: '2.0', ...message }))
    const timer = setTimeout(() => resolve(lost), patienceMs)
    return promise.finally(() => clearTimeout(timer))
  }

  const isOpen = await new Promise<boolean>((resolve) => {
    socket.addEventListener('open', () => resolve(true))
    socket.addEventListener('error', () => resolve(false))
    socket.addEventListener('close', () => resolve(false))
  })
  if (!isOpen) return { kind: 'refused' }
  let isReady = false
  await send(node, openings.socket, { heard: (message) => (isReady = message['result'] !== undefined) })
  if (!isReady) {
    socket.close()
    return { kind: 'refused' }
  }
  await send(node, { method: 'notifications/initialized' })
  const opened: OpenSession = {
    session,
    send,
    listen() {},
    ensure() {},
    leave: () => Promise.resolve(),
    async end() {
      isLeft = true
      if (socket.readyState === WebSocket.CLOSED) return true
      const closed = once(socket, 'close')
      socket.close()
      await closed
      return true
    },
  }
  return { kind: 'open', opened }
}
