import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { Lane } from './lane.ts'
import type { Endpoint } from './sessions.ts'
import { createSocketLane } from './socket-lane.ts'
import { FrameReader } from './web-socket-frame.ts'

/** Opens WebSockets to an endpoint. */
export function openWebSocketLanes(endpoint: Endpoint, count: number): Promise<readonly Lane[]> {
  return Promise.all(
    Array.from({ length: count }, async () => {
      const reader = new FrameReader()
      return createSocketLane(await openSocket(endpoint), (chunk, lane) =>
        reader.push(chunk, (body) => lane.listener?.answered({ body })),
      )
    }),
  )
}

/** A connection that has become a WebSocket (RFC 6455 section 4.1). */
export async function openSocket({ port, path, key }: Endpoint): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1' })
  await once(socket, 'connect')
  socket.setNoDelay(true)
  const head = [
    `GET ${path} HTTP/1.1`,
    `host: 127.0.0.1:${port}`,
    ...(key === undefined ? [] : [`authorization: Bearer ${key}`]),
    'connection: Upgrade',
    'upgrade: websocket',
    'sec-websocket-version: 13',
    `sec-websocket-key: ${randomBytes(16).toString('base64')}`,
    'sec-websocket-protocol: mcp',
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  // The server sends nothing more before it receives a request.
  const [answer] = (await once(socket, 'data')) as [Buffer]
  const [status = ''] = answer.toString('latin1').split('\r\n', 1)
  if (!status.startsWith('HTTP/1.1 101')) throw new Error(`expected a WebSocket, got ${status}`)
  return socket
}
