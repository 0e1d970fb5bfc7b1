import { once } from 'node:events'
import type { JsonObject } from '@junctor/jsonrpc'
import { createReceivedLog } from './received-log.ts'
import type { OpenWire } from './wire.ts'

/**
 * A client on a WebSocket by hand: each text is one message or one batch.
 *
 * @param headers of the request that opens it
 */
export async function openWebSocketWire(
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<OpenWire & { readonly closed: Promise<unknown> }> {
  const log = createReceivedLog()
  const socket = new WebSocket(url.replace(/^http/, 'ws'), { protocols: 'mcp', headers })
  await once(socket, 'open')
  socket.addEventListener('message', ({ data }) => {
    const parsed = JSON.parse(String(data)) as JsonObject | JsonObject[]
    for (const message of Array.isArray(parsed) ? parsed : [parsed]) log.add({ message, stream: 'websocket' })
  })

  return {
    closed: once(socket, 'close'),
    received: log.received,
    until: log.until,
    onMessage: log.onMessage,
    send(message) {
      socket.send(JSON.stringify(message))
      return Promise.resolve()
    },
    async close() {
      if (socket.readyState === WebSocket.CLOSED) return
      const closed = once(socket, 'close')
      socket.close()
      await closed
    },
  }
}
