import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { JsonObject, JsonValue } from '@junctor/jsonrpc'

/** One received request. */
export interface ScriptedRequest {
  readonly method: string
  /** Path and query. */
  readonly path: string
  readonly headers: IncomingHttpHeaders
  /** The body, parsed: JSON or a form; an empty object when it is empty. */
  readonly body: JsonObject
}

/** Answers one request. It may keep the response open, write to it later, or destroy it. */
export type Script = (request: ScriptedRequest, response: ServerResponse) => void

/**
 * A script by HTTP method, or by HTTP method and the JSON-RPC method in the body: `GET`, `POST tools/call`. The more
 * specific one is used. Other requests are answered with 404.
 */
export function routes(scripts: Readonly<Record<string, Script>>): Script {
  return (request, response) => {
    const { method } = request.body as { readonly method?: JsonValue }
    const exact = typeof method === 'string' ? scripts[`${request.method} ${method}`] : undefined
    const script = exact ?? scripts[request.method]
    if (script === undefined) response.writeHead(404).end()
    else script(request, response)
  }
}

/** A script that answers with a status only. */
export function statusOnly(code: number): Script {
  return (_, response) => response.writeHead(code).end()
}

/** An HTTP server on 127.0.0.1 that runs the scripts of a test. */
export interface ScriptedServer {
  /** `http://127.0.0.1:<port>` */
  readonly origin: string
  /** All requests so far, oldest first. */
  readonly received: readonly ScriptedRequest[]
  /** The number of open sockets. */
  readonly sockets: number
  /** Cuts every connection. */
  close(): Promise<void>
}

export async function startScriptedServer(script: Script): Promise<ScriptedServer> {
  const received: ScriptedRequest[] = []
  const sockets = new Set<unknown>()
  const server = createServer((message, response) => {
    const chunks: Uint8Array[] = []
    message.on('data', (chunk: Uint8Array) => chunks.push(chunk))
    message.on('end', () => {
      const text = Buffer.concat(chunks).toString()
      const request = {
        method: message.method ?? '',
        path: message.url ?? '',
        headers: message.headers,
        body: bodyOf(text, message.headers['content-type']),
      }
      received.push(request)
      script(request, response)
    })
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    received,
    get sockets() {
      return sockets.size
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function bodyOf(text: string, type = ''): JsonObject {
  if (type.startsWith('application/x-www-form-urlencoded')) return Object.fromEntries(new URLSearchParams(text))
  return text === '' ? {} : (JSON.parse(text) as JsonObject)
}

/** Answers with a JSON body. */
export function sendJson(
  response: ServerResponse,
  body: JsonObject,
  status = 200,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}

/** Begins a stream of events. */
export function openEvents(response: ServerResponse, headers: Record<string, string> = {}): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', ...headers })
  response.flushHeaders()
}

/** The fields of an event. */
export interface ScriptedEvent {
  readonly id?: string
  readonly event?: string
  readonly retry?: number
  /** An object is sent as JSON; a string is sent unchanged. */
  readonly data?: JsonObject | string
}

/** Writes one event. */
export function sendEvent(response: ServerResponse, { id, event, retry, data }: ScriptedEvent): void {
  const text = typeof data === 'string' || data === undefined ? data : JSON.stringify(data)
  const lines = [
    ...(id === undefined ? [] : [`id: ${id}`]),
    ...(event === undefined ? [] : [`event: ${event}`]),
    ...(retry === undefined ? [] : [`retry: ${retry}`]),
    ...(text === undefined ? [] : [`data: ${text}`]),
  ]
  response.write(`${lines.join('\n')}\n\n`)
}
