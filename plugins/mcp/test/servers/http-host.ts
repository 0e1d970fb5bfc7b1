import { randomUUID } from 'node:crypto'
import type { Server } from 'node:http'
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server'
import { type HttpAnswer, startHttpServer, webAnswer } from '@junctor/testkit/http'
import { serveSdk } from '@junctor/transport-websocket'
import { createV1Server } from './v1-server.ts'
import { createV2Server } from './v2-server.ts'

/** A server on 127.0.0.1. */
export interface HttpHost {
  readonly url: string
  /** The number of open sockets. */
  readonly sockets: () => number
  /** Cuts every connection. */
  readonly close: () => Promise<void>
}

/** Version 1 over Streamable HTTP, a server for each session. Answers with streams, or with JSON. */
export function hostV1(enableJsonResponse = false): Promise<HttpHost> {
  const sessions = new Map<string, StreamableHTTPServerTransport>()
  return host(async (request, response) => {
    const known = sessions.get(String(request.headers['mcp-session-id']))
    if (known !== undefined) return known.handleRequest(request, response)
    if (request.headers['mcp-session-id'] !== undefined) return void response.writeHead(404).end()
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      enableJsonResponse,
      onsessioninitialized: (id) => void sessions.set(id, transport),
    })
    await createV1Server().connect(transport)
    return transport.handleRequest(request, response)
  })
}

/** Version 1 over HTTP+SSE, the two endpoints of 2024-11-05. */
export function hostV1Sse(): Promise<HttpHost> {
  const sessions = new Map<string, SSEServerTransport>()
  return host(async (request, response) => {
    const url = new URL(request.url ?? '', 'http://127.0.0.1')
    if (request.method === 'POST') {
      const session = sessions.get(url.searchParams.get('sessionId') ?? '')
      if (session === undefined) return void response.writeHead(404).end()
      return session.handlePostMessage(request, response)
    }
    const transport = new SSEServerTransport('/messages', response)
    sessions.set(transport.sessionId, transport)
    return createV1Server().connect(transport)
  })
}

/** Version 1 over WebSockets, a server for each connection. */
export async function hostV1WebSocket(): Promise<HttpHost> {
  const http = await host((_, response) => response.writeHead(404).end())
  serveSdk({ server: http.server, connect: (transport) => createV1Server().connect(transport) })
  return { ...http, url: http.url.replace('http:', 'ws:') }
}

/** Version 2 over Streamable HTTP, a server for each session. */
export function hostV2(): Promise<HttpHost> {
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>()
  const answer = async (request: Request): Promise<Response> => {
    const known = sessions.get(request.headers.get('mcp-session-id') ?? '')
    if (known !== undefined) return known.handleRequest(request)
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (id) => void sessions.set(id, transport),
    })
    await createV2Server().connect(transport)
    return transport.handleRequest(request)
  }
  return host(webAnswer(answer))
}

async function host(answer: HttpAnswer): Promise<HttpHost & { readonly server: Server }> {
  const { server, origin, sockets, close } = await startHttpServer(answer)
  return { server, url: `${origin}/mcp`, sockets: () => sockets.size, close }
}
