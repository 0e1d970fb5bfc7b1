import type { ServerResponse } from 'node:http'
import type { JsonObject } from '@junctor/jsonrpc'
import {
  openEvents,
  type Script,
  type ScriptedRequest,
  type ScriptedServer,
  sendEvent,
  sendJson,
  startScriptedServer,
} from '@junctor/testkit'

/** A Streamable HTTP server that misbehaves, in this process. */
export interface RemoteServer extends ScriptedServer {
  readonly url: string
  readonly port: number
  /** The number of requests with one JSON-RPC method, or one HTTP method. */
  count(method: string): number
  /** Forgets its sessions: 404 for all of them, and with `always` for new ones too. */
  forget(always?: boolean): void
  /** Answers further calls of the tool `echo` with this script; undefined: correctly. */
  misbehave(script: Script | undefined): void
}

/** Starts a server with the tool `echo`. */
export async function startRemoteServer(): Promise<RemoteServer> {
  const sessions = new Set<unknown>()
  let opened = 0
  let forgetful = false
  let own: Script | undefined

  const server = await startScriptedServer((request, response) => {
    const { method } = request.body as { method?: string }
    const session = request.headers['mcp-session-id']
    if (method === 'initialize') {
      opened += 1
      if (!forgetful) sessions.add(`s-${opened}`)
      const { protocolVersion = '2025-11-25' } = request.body['params'] as JsonObject
      const value = { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'remote', version: '1' } }
      return sendJson(response, answerTo(request, value), 200, { 'mcp-session-id': `s-${opened}` })
    }
    if (!sessions.has(session)) return void response.writeHead(404).end()
    if (request.method === 'GET' && request.headers['last-event-id'] === undefined)
      return void response.writeHead(405).end()
    if (request.method === 'DELETE') return void response.writeHead(200).end()
    if (own !== undefined && (method === 'tools/call' || request.method === 'GET')) return own(request, response)
    if (method === 'tools/list') {
      return sendJson(response, answerTo(request, { tools: [{ name: 'echo', inputSchema: { type: 'object' } }] }))
    }
    if (method === 'tools/call') return sendJson(response, answerTo(request, echoed(request)))
    if (request.body['id'] === undefined) return void response.writeHead(202).end()
    return sendJson(response, answerTo(request, {}))
  })
  return {
    ...server,
    get sockets() {
      return server.sockets
    },
    url: `${server.origin}/mcp`,
    port: Number(new URL(server.origin).port),
    count: (method) => server.received.filter((one) => one.body['method'] === method || one.method === method).length,
    forget(always = false) {
      sessions.clear()
      forgetful = always
    },
    misbehave(script) {
      own = script
    },
  }
}

/** A response to a request. */
export function answerTo(request: ScriptedRequest, value: JsonObject): JsonObject {
  return { jsonrpc: '2.0', id: request.body['id'], result: value }
}

/** The result of `echo`. */
export function echoed(request: ScriptedRequest): JsonObject {
  const { arguments: given } = request.body['params'] as { arguments: { text: string } }
  return { content: [{ type: 'text', text: given.text }] }
}

/** Sends a stream with an event id that ends without the response. */
export function endEarly(response: ServerResponse, id: string | undefined, retryMs?: number): void {
  openEvents(response)
  if (id !== undefined) sendEvent(response, { id, ...(retryMs === undefined ? {} : { retry: retryMs }), data: '' })
  response.end()
}
