import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { startHttpServer } from '@junctor/testkit/http'
import { createEventMemory } from './event-memory.ts'
import { createFixtureServer } from './create-fixture-server.ts'

/** The reconnection delay for clients, in milliseconds. */
const retryMs = 500

/** A fixture backend over HTTP that listens until it is closed. */
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

  const http = await startHttpServer(async (request, response) => {
    const id = request.headers['mcp-session-id']
    const session = typeof id === 'string' ? sessions.get(id) : undefined
    if (!isLocal(request)) return response.writeHead(403).end()
    if (new URL(request.url ?? '', 'http://x').pathname !== '/mcp') return response.writeHead(404).end()
    if (id !== undefined && session === undefined) return response.writeHead(404).end()
    // A transport without a session refuses every request but initialize.
    return (session ?? (await opening())).handleRequest(request, response)
  }, port)

  return {
    url: `${http.origin}/mcp`,
    async close() {
      await Promise.all([...sessions.values()].map((session) => session.close()))
      await http.close()
    },
  }
}

/** Whether a request is local: a page of another origin must not reach this server, under any host name. */
function isLocal({ headers }: IncomingMessage): boolean {
  return [`http://${headers.host}`, headers.origin ?? 'http://localhost'].every(
    (url) => URL.canParse(url) && ['127.0.0.1', 'localhost'].includes(new URL(url).hostname),
  )
}
