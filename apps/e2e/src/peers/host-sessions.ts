import { startHttpServer, webAnswer } from '@junctor/testkit/http'

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
  const answer = async (request: Request): Promise<Response> => {
    const transport = sessions.get(request.headers.get('mcp-session-id') ?? '') ?? (await openSession())
    return transport.handleRequest(request)
  }
  const { origin, close } = await startHttpServer(webAnswer(answer))
  return { url: `${origin}/mcp`, sessions: () => sessions.size, close }
}
