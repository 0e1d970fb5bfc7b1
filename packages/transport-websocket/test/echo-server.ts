import type { Socket } from 'node:net'
import type { IncomingMessage } from 'node:http'
import { eventually } from '@junctor/testkit'
import { startHttpServer } from '@junctor/testkit/http'
import { expect } from 'vitest'
import { type ServerOptions, type WebSocket, WebSocketServer } from 'ws'

/** A server that sends back every frame, with its own limit on unsent data. */
export interface EchoServer {
  readonly url: string
  /** The headers of the clients' requests. */
  readonly requests: readonly IncomingMessage[]
  readonly clients: ReadonlySet<WebSocket>
  readonly sockets: ReadonlySet<Socket>
  close(): Promise<void>
}

/**
 * Starts it on a free port. `close` waits until the client has closed its sockets, and rejects when it does not.
 *
 * @param greeting is sent to each client when it connects; default: nothing
 */
export async function startEchoServer(greeting?: string, options: ServerOptions = {}): Promise<EchoServer> {
  const { server: http, port, sockets, close } = await startHttpServer((_, response) => response.writeHead(404).end())
  const server = new WebSocketServer({ server: http, path: '/mcp', perMessageDeflate: true, ...options })
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
  return {
    url: `ws://127.0.0.1:${port}/mcp`,
    requests,
    clients: server.clients,
    sockets,
    async close() {
      await eventually(() => expect(sockets.size).toBe(0))
      server.close()
      await close()
    },
  }
}
