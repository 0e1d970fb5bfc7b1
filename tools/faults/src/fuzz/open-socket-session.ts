import { once } from 'node:events'
import type { JsonObject } from '@junctor/jsonrpc'
import { WebSocket } from 'undici'
import { openSocket } from '../client/open-socket.ts'
import { ConnectedSession } from './connected-session.ts'
import { type OpenOptions, openings } from './open-http-session.ts'
import { createSession, initializeAt, type Opening } from './open-session.ts'

/** Opens a session that is a WebSocket. */
export async function openSocketSession({ client, kind, node, urls, key }: OpenOptions): Promise<Opening> {
  const began = performance.now()
  const id = `socket-${client}-${Math.round(began)}`
  const socket = await openSocket(urls[node] ?? '', key)
  if (socket === undefined) return { kind: 'refused' }
  const session = createSession({ id, client, kind, node, began })
  const opened = new ConnectedSession(session, {
    get isOpen() {
      return socket.readyState === WebSocket.OPEN
    },
    send: (message) => socket.send(JSON.stringify(message)),
    async close() {
      if (socket.readyState === WebSocket.CLOSED) return
      const closed = once(socket, 'close')
      socket.close()
      await closed
    },
  })
  socket.addEventListener('message', ({ data }) => opened.receive(JSON.parse(String(data)) as JsonObject))
  socket.addEventListener('close', () => opened.closed())
  return initializeAt(node, opened, openings.socket, () => socket.close())
}
