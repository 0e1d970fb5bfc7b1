import { once } from 'node:events'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

// An import of this module would also load Node's client for `fetch`, a third of the start of a small server.
const { createServer } = process.getBuiltinModule('node:http')

/** Answers one request. It may return a promise. It may keep the response open, write to it later, or destroy it. */
export type HttpAnswer = (request: IncomingMessage, response: ServerResponse) => unknown

/** An HTTP server of a test, on 127.0.0.1. */
export interface TestHttpServer {
  readonly server: Server
  readonly port: number
  /** `http://127.0.0.1:<port>` */
  readonly origin: string
  /** The open sockets. */
  readonly sockets: ReadonlySet<Socket>
  /** Stops listening, and cuts every connection, upgraded ones too. */
  readonly close: () => Promise<void>
}

/**
 * Starts an HTTP server. A failure of `answer` because its client has left is ignored. Any other failure cuts the
 * connection, and is an unhandled rejection, which fails the test run.
 *
 * @param port default: a free port
 */
export async function startHttpServer(answer: HttpAnswer, port = 0): Promise<TestHttpServer> {
  const server = createServer((request, response) => void run(answer, request, response))
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const { port: bound } = server.address() as AddressInfo
  return {
    server,
    port: bound,
    origin: `http://127.0.0.1:${bound}`,
    sockets,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}

async function run(answer: HttpAnswer, request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    await answer(request, response)
  } catch (error) {
    if (hasLeft(request, response)) return
    response.destroy()
    throw error
  }
}

/** Whether the connection was cut before the whole request was there, and the whole answer was sent. */
function hasLeft(request: IncomingMessage, response: ServerResponse): boolean {
  return request.socket.destroyed && !(request.complete && response.writableFinished)
}
