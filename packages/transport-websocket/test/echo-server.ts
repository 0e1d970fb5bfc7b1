import type { AddressInfo, Socket } from 'node:net'
import { createServer, type IncomingMessage } from 'node:http'
import { eventually } from '@junctor/testkit'
import { expect } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'

/** A server that sends back every frame, with its own limit on unsent data. */
export interface EchoServer {
  readonly url: string
  /** The headers of the clients' requests. */
  readonly requests: readonly IncomingMessage[]
  readonly clients: ReadonlySet<WebSocket>
  readonly sockets: ReadonlySet<Socket>
  close(): Promise<void>
}

export async function startEchoServer(greeting?: string): Promise<EchoServer> {
  const http = createServer((_, response) => response.writeHead(404).end())
  const sockets = new Set<Socket>()
  http.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  const server = new WebSocketServer({ server: http, path: '/mcp', perMessageDeflate: true })
  const requests: IncomingMessage[] = []
  server.on('connection', (socket, request) => {
    requests.push(request)
    if (greeting !== undefined) socket.send(greeting)
    socket.on('error', () => {})
    socket.on('message', (data: Buffer, binary) => {
      socket.send(data, { binary })
      if (request.socket.writableNeedDrain) {
        socket.pause()
        request.socket.once('drain', () => socket.resume())
      }
    })
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  return {
    url: `ws://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    requests,
    clients: server.clients,
    sockets,
    async close() {
      await eventually(() => expect(sockets.size).toBe(0))
      server.close()
      await new Promise((resolve) => http.close(resolve))
    },
  }
}
