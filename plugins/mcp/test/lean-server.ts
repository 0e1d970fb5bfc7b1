import {
  type Client,
  type JsonObject,
  type Link,
  type Log,
  type Scope,
  silentLog,
  type Emit,
  emitNothing,
} from '@junctor/plugin-sdk/link'
import {
  recordClient,
  routes,
  type Script,
  type ScriptedRequest,
  type ScriptedServer,
  sendJson,
  startScriptedServer,
  statusOnly,
  eventually,
} from '@junctor/testkit'
import { expect, onTestFinished } from 'vitest'
import { createUrlBackend } from '../src/url-backend.ts'

/** The successful response to a request. */
export function result(to: ScriptedRequest, value: JsonObject = {}): JsonObject {
  return { jsonrpc: '2.0', id: to.body['id'], result: value }
}

/** Answers every request with an empty result. */
export const answers: Script = (to, response) => sendJson(response, result(to))

/** Answers `initialize`, with the sessions `s-1`, `s-2` and so on. */
export function opensSessions(): Script {
  let count = 0
  return (to, response) => {
    count += 1
    const value = {
      protocolVersion: '2025-11-25',
      capabilities: { tools: {} },
      serverInfo: { name: 'lean', version: '1' },
    }
    sendJson(response, result(to, value), 200, { 'mcp-session-id': `s-${count}` })
  }
}

/** A well-behaved server over Streamable HTTP without a session stream, except for what is overridden. */
export function leanServer(overridden: Readonly<Record<string, Script>> = {}): Script {
  return routes({
    'POST initialize': opensSessions(),
    'POST notifications/initialized': statusOnly(202),
    POST: answers,
    GET: statusOnly(405),
    DELETE: statusOnly(200),
    ...overridden,
  })
}

/** The scope of a link: one session by default. */
export function scopeFor(client: Client, scope: Partial<Scope> = {}): Scope {
  const { tenant, principal, session, client: about } = client.context
  return { tenant, principal: principal.key, session, capabilities: about.capabilities, key: 'test', ...scope }
}

interface LeanLink {
  readonly server: ScriptedServer
  readonly link: Link
}

/** Opens a link to a scripted server. Both are closed after the test, and no socket remains open. */
export async function openLean(
  script: Script,
  client: Client = recordClient(),
  scope: Partial<Scope> = {},
  emit: Emit = emitNothing,
  log: Log = silentLog,
): Promise<LeanLink> {
  const server = await startScriptedServer(script)
  const backend = createUrlBackend({
    name: 'lean',
    config: { url: `${server.origin}/mcp`, headers: {}, era: 'handshake' },
    log,
    emit,
  })
  onTestFinished(async () => {
    await backend.close()
    await eventually(() => expect(server.sockets).toBe(0))
    await server.close()
  })
  const link = await backend.open(scopeFor(client, scope), client, new AbortController().signal)
  onTestFinished(() => link.close())
  return { server, link }
}

/** The requests that a server has received, for example `POST tools/call`. */
export function received(server: ScriptedServer): readonly string[] {
  return server.received.map(({ method, body }) => `${method} ${(body as { method?: string }).method ?? ''}`.trim())
}
