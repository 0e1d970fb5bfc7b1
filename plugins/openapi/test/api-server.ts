import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request as the server received it. */
interface ReceivedRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body: Buffer
}

/** What the server answers. */
export type Reply = (request: ReceivedRequest, response: ServerResponse) => void

/** An HTTP server for one test, on a free port of 127.0.0.1. */
export interface ApiServer {
  readonly url: string
  readonly requests: readonly ReceivedRequest[]
  /** Replaces what it answers. */
  reply(next: Reply): void
  close(): Promise<void>
}

export async function startApiServer(first: Reply): Promise<ApiServer> {
  const requests: ReceivedRequest[] = []
  let reply = first
  const server = createServer((request, response) => {
    void receive(request, response)
  })
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await bodyOf(request)
    const received = { method: request.method ?? '', url: request.url ?? '', headers: request.headers, body }
    requests.push(received)
    reply(received, response)
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    reply: (next) => (reply = next),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Answers with JSON. */
export function json(value: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Reply {
  return (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value))
  }
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  return Buffer.concat(pieces)
}
