import type { Socket } from 'node:net'
import { silentLog } from '@junctor/contracts'
import { createSampleFront, eventually, type SampleFront } from '@junctor/testkit'
import { startHttpServer } from '@junctor/testkit/http'
import { expect, onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import { createWebSocketFront, type WebSocketFront, type WebSocketFrontOptions } from '../src/front/index.ts'

/** A WebSocket client of a test. */
interface TestClient {
  readonly socket: WebSocket
  /** The received texts. */
  readonly texts: string[]
  readonly closed: Promise<{ readonly code: number; readonly text: string }>
  readonly send: (...messages: readonly (string | object)[]) => void
}

interface ConnectOptions {
  /** Default: the port of the server. */
  readonly port?: number
  readonly path?: string
  readonly protocols?: string[]
  readonly headers?: Record<string, string>
}

/** A front behind an HTTP server, with functions that connect clients to it. All of it is closed after the test. */
export interface Served {
  readonly front: SampleFront
  readonly server: WebSocketFront
  readonly port: number
  /** Connections of the HTTP server. */
  readonly sockets: ReadonlySet<Socket>
  readonly connect: (options?: ConnectOptions) => Promise<TestClient>
  /** Opens a session; the texts of its opening are removed from `texts`. */
  readonly open: (revision?: string) => Promise<TestClient>
}

/** An HTTP server with a sample front on it, closed after the test. */
export async function serve(
  options: Partial<Pick<WebSocketFrontOptions, 'limits' | 'listen' | 'shares'>> = {},
): Promise<Served> {
  const front = createSampleFront()
  const http = await startHttpServer((_, response) => response.writeHead(418).end())
  const { sockets, port } = http
  const server = createWebSocketFront({ front, server: http.server, listen: {}, log: silentLog, ...options })
  onTestFinished(async () => {
    await server.close(0)
    http.server.closeAllConnections()
    await eventually(() => expect(sockets.size).toBe(0))
    await http.close()
  })
  const connect: Served['connect'] = async ({ port: to = port, path = '/mcp', protocols = ['mcp'], headers } = {}) => {
    const sent = { authorization: 'Bearer good', ...headers }
    const client = follow(new WebSocket(`ws://127.0.0.1:${to}${path}`, protocols, { headers: sent }))
    await new Promise<void>((resolve, reject) => {
      client.socket.once('open', resolve).once('error', reject)
    })
    return client
  }
  return {
    front,
    server,
    port,
    sockets,
    connect,
    async open(revision = '2025-11-25') {
      const client = await connect()
      client.send({ jsonrpc: '2.0', id: 0, method: 'initialize', params: { protocolVersion: revision } })
      await eventually(() => expect(client.texts).toHaveLength(2))
      client.texts.length = 0
      return client
    },
  }
}

function follow(socket: WebSocket): TestClient {
  const texts: string[] = []
  const closed = Promise.withResolvers<{ code: number; text: string }>()
  socket.on('message', (data: Buffer) => texts.push(data.toString()))
  socket.on('error', () => {})
  socket.on('close', (code, text) => closed.resolve({ code, text: text.toString() }))
  onTestFinished(() => socket.terminate())
  return {
    socket,
    texts,
    closed: closed.promise,
    send(...messages) {
      for (const one of messages) socket.send(typeof one === 'string' ? one : JSON.stringify(one))
    },
  }
}
