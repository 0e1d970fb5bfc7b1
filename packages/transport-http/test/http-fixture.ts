import { type Agent, request as httpRequest, type IncomingMessage } from 'node:http'
import type { Session } from '@junctor/contracts'

/** An HTTP request of a test. The headers that every client sends are present unless they are set to `undefined`. */
export interface Call {
  readonly method?: string
  readonly path?: string
  readonly headers?: Readonly<Record<string, string | undefined>>
  readonly body?: string | Buffer
  readonly session?: Session | undefined
  /** Default: a connection for this request alone. */
  readonly agent?: Agent
}

/** A response that was read to its end. */
export interface Answer {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly text: string
}

/** Sends a request. Resolves with the response when its headers have arrived. */
export function start(port: number, request: Call): Promise<IncomingMessage> {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-session-id': request.session?.id,
    ...request.headers,
  }
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const sent = httpRequest({
    port,
    host: '127.0.0.1',
    method: request.method ?? 'POST',
    path: request.path ?? '/mcp',
    agent: request.agent ?? false,
  })
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) sent.setHeader(name, value)
  }
  sent.on('response', resolve).on('error', reject).end(request.body)
  return promise
}

/** Sends a request and reads the whole answer. */
export async function send(port: number, request: Call): Promise<Answer> {
  const response = await start(port, request)
  const text = await readAll(response)
  return { status: response.statusCode ?? 0, headers: response.headers, text }
}

/** Reads a response to its end, as UTF-8. Rejects when the connection breaks before. */
export async function readAll(response: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of response.setEncoding('utf8')) text += String(chunk)
  return text
}

/** A call as JSON text. */
export function callOf(method: string, params?: object, id: string | number = 1): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) })
}
