import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import type { JsonObject, JsonValue } from '@junctor/jsonrpc'
import { startHttpServer } from './start-http-server.ts'

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

/** Starts an HTTP server on a free port of 127.0.0.1. It records each request, and then lets the script answer. */
export async function startScriptedServer(script: Script): Promise<ScriptedServer> {
  const received: ScriptedRequest[] = []
  const { origin, sockets, close } = await startHttpServer(async (message, response) => {
    const { method = '', url: path = '', headers } = message
    const request = { method, path, headers, body: bodyOf(await text(message), headers['content-type']) }
    received.push(request)
    script(request, response)
  })
  return {
    origin,
    received,
    get sockets() {
      return sockets.size
    },
    close,
  }
}

function bodyOf(sent: string, type = ''): JsonObject {
  if (type.startsWith('application/x-www-form-urlencoded')) return Object.fromEntries(new URLSearchParams(sent))
  return sent === '' ? {} : (JSON.parse(sent) as JsonObject)
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
  const written = typeof data === 'string' || data === undefined ? data : JSON.stringify(data)
  const lines = [
    ...(id === undefined ? [] : [`id: ${id}`]),
    ...(event === undefined ? [] : [`event: ${event}`]),
    ...(retry === undefined ? [] : [`retry: ${retry}`]),
    ...(written === undefined ? [] : [`data: ${written}`]),
  ]
  response.write(`${lines.join('\n')}\n\n`)
}
