import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { createEventMemory } from './event-memory.ts'
import { createFixtureServer } from './create-fixture-server.ts'

/** The reconnection delay for clients, in milliseconds. */
const retryMs = 500

export interface FixtureHttp {
  /** `http://127.0.0.1:<port>/mcp` */
  readonly url: string
  /** Ends every session and cuts every connection. */
  close(): Promise<void>
}

/**
 * Serves the fixture backend over Streamable HTTP on 127.0.0.1, with one server for each session. Port 0: any free
 * port.
 */
export async function serveFixtureHttp(port: number): Promise<FixtureHttp> {
  const sessions = new Map<string, StreamableHTTPServerTransport>()

  const opening = async (): Promise<StreamableHTTPServerTransport> => {
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, transport),
      onsessionclosed: (id) => void sessions.delete(id),
      eventStore: createEventMemory(),
      retryInterval: retryMs,
    })
    await createFixtureServer().connect(transport)
    return transport
  }

  const http = createServer((request, response) => {
    const id = request.headers['mcp-session-id']
    const session = typeof id === 'string' ? sessions.get(id) : undefined
    if (!isLocal(request)) response.writeHead(403).end()
    else if (new URL(request.url ?? '', 'http://x').pathname !== '/mcp') response.writeHead(404).end()
    else if (session !== undefined) void session.handleRequest(request, response)
    else if (id !== undefined) response.writeHead(404).end()
    // A transport without a session refuses every request but initialize.
    else void opening().then((transport) => transport.handleRequest(request, response))
  })
  await new Promise<void>((resolve, reject) => {
    http.once('error', reject)
    http.listen(port, '127.0.0.1', resolve)
  })

  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    async close() {
      await Promise.all([...sessions.values()].map((session) => session.close()))
      await new Promise((resolve) => {
        http.close(resolve)
        http.closeAllConnections()
      })
    },
  }
}

/** Whether a request is local: a page of another origin must not reach this server, under any host name. */
function isLocal({ headers }: IncomingMessage): boolean {
  return [`http://${headers.host}`, headers.origin ?? 'http://localhost'].every(
    (url) => URL.canParse(url) && ['127.0.0.1', 'localhost'].includes(new URL(url).hostname),
  )
}
