import type { ServerResponse } from 'node:http'
import { type JsonObject, type Notification, payloadOf, type Request, requestId, type Response } from '@junctor/jsonrpc'
import {
  type Script,
  type ScriptedRequest,
  type ScriptedServer,
  sendJson,
  startScriptedServer,
  eventually,
} from '@junctor/testkit'
import { expect, onTestFinished } from 'vitest'
import {
  type AnswerListener,
  createMcpHttpClient,
  type McpHttpClient,
  type McpHttpClientOptions,
  type HttpFailure,
  type HttpSession,
} from '../src/back/index.ts'

type Received = { readonly message: string } | { readonly answered: Response } | { readonly failed: HttpFailure }

/** Records the messages and the end of one request. */
export interface Recorder extends AnswerListener {
  readonly received: readonly Received[]
  /** The response or failure. */
  readonly end: Promise<Response | HttpFailure>
}

/** Creates a listener for one request. */
export function recorder(): Recorder {
  const received: Received[] = []
  const end = Promise.withResolvers<Response | HttpFailure>()
  return {
    received,
    end: end.promise,
    message: (message) => void received.push({ message: message.method }),
    answered(answered) {
      received.push({ answered })
      end.resolve(answered)
    },
    failed(failed) {
      received.push({ failed })
      end.resolve(failed)
    },
  }
}

/** A scripted server and a client of it. Both are closed after the test, and no socket is left. */
export async function start(
  script: Script,
  options: Partial<McpHttpClientOptions> = {},
): Promise<{ readonly server: ScriptedServer; readonly client: McpHttpClient; readonly session: HttpSession }> {
  const server = await startScriptedServer(script)
  const client = createMcpHttpClient({ url: `${server.origin}/mcp`, ...options })
  onTestFinished(async () => {
    await client.close()
    await eventually(() => expect(server.sockets).toBe(0))
    await server.close()
  })
  return { server, client, session: client.createSession() }
}

/** A request of 2.0 with empty params. */
export function request(id: number, method: string): Request {
  return { kind: 'request', dialect: '2.0', id: requestId(id), method, params: payloadOf({}) }
}

/** A notification of 2.0 without params. */
export function notification(method: string): Notification {
  return { kind: 'notification', dialect: '2.0', method, params: undefined }
}

/** The successful response to a request. */
export function result(to: ScriptedRequest, value: JsonObject = {}): JsonObject {
  return { jsonrpc: '2.0', id: to.body['id'], result: value }
}

/** A log message as a server sends it. */
export function logMessage(data: string): JsonObject {
  return { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data } }
}

/** Sends one request with the id 1 and waits for its end. */
export async function ask(
  session: HttpSession,
  method = 'tools/call',
): Promise<{ readonly end: Response | HttpFailure; readonly received: readonly Received[] }> {
  const received = recorder()
  session.request(request(1, method), received)
  return { end: await received.end, received: received.received }
}

/** Answers `initialize` with the session `s-1`. */
export function opensSession(to: ScriptedRequest, response: ServerResponse): void {
  sendJson(response, result(to), 200, { 'mcp-session-id': 's-1' })
}

/** Sends `initialize`, and treats 2025-11-25 as negotiated whatever the server answers. */
export async function initialize(session: HttpSession): Promise<void> {
  await ask(session, 'initialize')
  session.negotiated('2025-11-25')
}
