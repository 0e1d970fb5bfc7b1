import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { startHttpServer } from '@junctor/testkit'

/** The common interface of the web-standard transports of both SDKs, as far as a host needs it. */
export interface WebTransport {
  handleRequest(request: Request): Promise<Response>
}

/** Reports the begin and the end of a transport's session. */
export interface SessionEvents {
  readonly onsessioninitialized: (id: string) => void
  readonly onsessionclosed: (id: string) => void
}

/** MCP servers over Streamable HTTP on 127.0.0.1. */
export interface Host {
  readonly url: string
  /** Counts the sessions that no client has ended. */
  readonly sessions: () => number
  readonly close: () => Promise<void>
}

/** Creates a server for each session. `open` resolves with a transport that is connected to a server. */
export async function hostSessions(open: (events: SessionEvents) => Promise<WebTransport>): Promise<Host> {
  const sessions = new Map<string, WebTransport>()
  const openSession = async (): Promise<WebTransport> => {
    const transport = await open({
      onsessioninitialized: (id) => void sessions.set(id, transport),
      onsessionclosed: (id) => void sessions.delete(id),
    })
    return transport
  }
  const answer = async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    const transport = sessions.get(String(message.headers['mcp-session-id'])) ?? (await openSession())
    const { status, headers, body } = await transport.handleRequest(toRequest(message))
    response.writeHead(status, Object.fromEntries(headers)).flushHeaders()
    await pipeline(body === null ? Readable.from([]) : Readable.fromWeb(body), response)
  }
  const { origin, close } = await startHttpServer(answer)
  return { url: `${origin}/mcp`, sessions: () => sessions.size, close }
}

function toRequest(message: IncomingMessage): Request {
  const { method = 'GET', headers, url } = message
  return new Request(`http://127.0.0.1${url}`, {
    method,
    headers: Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]),
    ...(method === 'POST' && { body: Readable.toWeb(message) as ReadableStream, duplex: 'half' as const }),
  })
}
