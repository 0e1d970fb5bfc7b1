import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import {
  emitNothing,
  type JsonObject,
  type Log,
  payloadFromText,
  type Scope,
  silentLog,
} from '@junctor/plugin-sdk/link'
import {
  createRequest,
  openEvents,
  recordClient,
  recordExchange,
  routes,
  type Script,
  sendEvent,
  sendJson,
  startScriptedServer,
  statusOnly,
} from '@junctor/testkit'
import { expect, test, vi } from 'vitest'
import { leanServer, openLean, received, result, scopeFor } from '../test/lean-server.ts'
import { createUrlBackend } from './url-backend.ts'

/** A server of 2024-11-05: `POST initialize`, which it refuses, goes to the address of its stream. */
function oldServer(refuses: Script, endpoint = '/messages'): Script {
  let stream: ServerResponse | undefined
  return routes({
    'POST initialize'(to, response) {
      const answerWith = to.path === '/messages' ? answer : refuses
      answerWith(to, response)
    },
    GET(_, response) {
      stream = response
      openEvents(response)
      sendEvent(response, { event: 'endpoint', data: endpoint })
    },
    POST: answer,
  })

  function answer(...[to, response]: Parameters<Script>): void {
    response.writeHead(202).end()
    const value = {
      protocolVersion: '2024-11-05',
      capabilities: { tools: {} },
      serverInfo: {},
      capabilitiesSent: to.body,
    }
    if (to.body['id'] !== undefined && stream !== undefined) sendEvent(stream, { data: result(to, value) })
  }
}

test.each([400, 404, 405])('when a server answers initialize with %i, HTTP+SSE is tried', async (code) => {
  const { server, link } = await openLean(oldServer(statusOnly(code)))
  expect(link.server.revision).toBe('2024-11-05')
  const outcome = await link.call(createRequest('tools/call', { name: 'any' }), recordExchange().exchange)
  expect(outcome).toMatchObject({ kind: 'complete' })
  expect(server.received.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'POST /mcp',
    'GET /mcp',
    'POST /messages',
    'POST /messages',
    'POST /messages',
  ])
})

test.each([401, 403, 500, 406])(
  'a server that answers initialize with %i is not treated as an old one',
  async (code) => {
    const script = oldServer(statusOnly(code))
    const seen: string[] = []
    const watched: Script = (to, response) => {
      seen.push(to.method)
      script(to, response)
    }
    await expect(openLean(watched)).rejects.toThrow(`HTTP ${code}`)
    expect(seen).toEqual(['POST'])
  },
)

test('when HTTP+SSE fails too, the error describes the first answer', async () => {
  const neither = routes({
    POST: (_, response) => response.writeHead(400, { 'content-type': 'text/plain' }).end('Go away'),
    GET: statusOnly(405),
  })
  await expect(openLean(neither)).rejects.toThrow('Go away')
})

test('an endpoint on another origin is refused', async () => {
  await expect(openLean(oldServer(statusOnly(405), 'http://127.0.0.1:1/messages'))).rejects.toThrow('HTTP 405')
})

test.each([
  ['one session', {}, { elicitation: {}, sampling: {}, roots: {} }],
  ['everyone', { principal: undefined, session: undefined }, {}],
])(
  'over HTTP+SSE, a link of %s declares only capabilities whose requests can be attributed',
  async (_, scope, capabilities) => {
    const { server } = await openLean(oldServer(statusOnly(405)), recordClient(), scope)
    expect(server.received[2]?.body).toMatchObject({ method: 'initialize' })
    expect(server.received[2]?.body['params']).toHaveProperty('capabilities', capabilities)
  },
)

test('credentials go to the server with every request', async () => {
  const { server } = await openLean(oldServer(statusOnly(405)))
  expect(received(server)).toHaveLength(4)
  const backend = createUrlBackend({
    name: 'secured',
    config: { url: `${server.origin}/mcp`, headers: { 'x-team': 'a' }, auth: { bearer: 'key' }, era: 'handshake' },
    log: silentLog,
    emit: emitNothing,
  })
  const client = recordClient()
  const scope = { tenant: 'd', principal: 'p', session: 's', capabilities: {}, key: 'k' }
  const link = await backend.open(scope, client, new AbortController().signal)
  await link.close()
  await backend.close()
  const secured = server.received.slice(4)
  expect(secured.map(({ headers }) => [headers.authorization, headers['x-team']])).toEqual(
    secured.map(() => ['Bearer key', 'a']),
  )
  expect(secured.length).toBeGreaterThan(3)
})

const discovered: Script = (to, response) => {
  const capabilities = { tools: {} }
  sendJson(response, result(to, { supportedVersions: ['2026-07-28'], capabilities, resultType: 'complete' }))
}
const refused: Script = (to, response) =>
  sendJson(response, { jsonrpc: '2.0', id: to.body['id'], error: { code: -32_601, message: 'Method not found' } }, 404)

const newerServer = { 'POST server/discover': discovered, 'POST initialize': refused }

/** The revisions of links of one backend that are opened one after the other for owners of these eras. */
async function openInTurn(script: Script, eras: readonly Scope['era'][]) {
  const server = await startScriptedServer(script)
  const config = { url: `${server.origin}/mcp`, headers: {} }
  const backend = createUrlBackend({ name: 'any', config, log: silentLog, emit: emitNothing })
  const opened: string[] = []
  for (const era of eras) {
    const client = recordClient()
    const owner = scopeFor(client, era === undefined ? {} : { era })
    const link = await backend.open(owner, client, new AbortController().signal)
    opened.push(link.server.revision)
    await link.close()
  }
  await backend.close()
  await server.close()
  const asked = server.received.filter(({ method }) => method !== 'DELETE')
  return { opened, asked: asked.map(({ method, body }) => body['method'] ?? method) }
}

test('a server of both eras is used in the era of its owner', async () => {
  const { opened } = await openInTurn(leanServer({ 'POST server/discover': discovered }), [
    undefined,
    'handshake',
    'modern',
    'handshake',
  ])
  expect(opened).toEqual(['2026-07-28', '2025-11-25', '2026-07-28', '2025-11-25'])
})

test('a server of 2026-07-28 is asked for a handshake once', async () => {
  const { opened, asked } = await openInTurn(leanServer(newerServer), ['handshake', 'handshake'])
  expect(opened).toEqual(['2026-07-28', '2026-07-28'])
  expect(asked).toEqual(['initialize', 'server/discover', 'server/discover'])
})

test('how a call to a server of 2026-07-28 was lost is in the log; its client reads no address, and when it may try again', async () => {
  const ends: readonly Script[] = [
    (_, response) => response.writeHead(429, { 'retry-after': '3' }).end(),
    (_, response) => response.destroy(),
  ]
  let calls = 0
  const server = await startScriptedServer(
    leanServer({ ...newerServer, 'POST tools/call': (to, response) => ends[calls++]?.(to, response) }),
  )
  const warn = vi.fn<Log['warn']>()
  const config = { url: `${server.origin}/mcp`, headers: {} }
  const backend = createUrlBackend({ name: 'any', config, log: { ...silentLog, warn }, emit: emitNothing })
  const client = recordClient()
  const link = await backend.open(scopeFor(client), client, new AbortController().signal)
  const call = async () => {
    const outcome = await link.call(createRequest('tools/call', { name: 'x' }), recordExchange().exchange)
    return outcome.kind === 'error' ? [outcome.error.message, outcome.error.data?.value()] : outcome
  }
  expect(await call()).toMatchObject([expect.stringContaining('HTTP 429'), { retryable: true, retryAfterMs: 3_000 }])
  expect(await call()).toMatchObject(['The backend ended before it answered', { reason: 'backend_exited' }])
  await server.close()
  expect(await call()).toMatchObject(['The backend cannot be reached', { reason: 'backend_unavailable' }])
  await backend.close()
  expect(warn.mock.calls).toEqual(
    ['HTTP 429', 'the connection ended', 'ECONNREFUSED'].map((failure) => [
      'a call failed on its way',
      { failure: expect.stringContaining(failure) },
    ]),
  )
})

test('a number in a header has the digits of the argument that it repeats', async () => {
  const inputSchema = { type: 'object', properties: { order: { type: 'integer', 'x-mcp-header': 'Order' } } }
  const listed: Script = (to, response) => sendJson(response, result(to, { tools: [{ name: 'pay', inputSchema }] }))
  const server = await startScriptedServer(leanServer({ ...newerServer, 'POST tools/list': listed }))
  const config = { url: `${server.origin}/mcp`, headers: {} }
  const backend = createUrlBackend({ name: 'any', config, log: silentLog, emit: emitNothing })
  const client = recordClient()
  const link = await backend.open(scopeFor(client), client, new AbortController().signal)
  await link.list('tools', new AbortController().signal)
  for (const order of ['9007199254740993', '42']) {
    const params = payloadFromText(`{"name":"pay","arguments":{"order":${order}}}`)
    await link.call({ ...createRequest('tools/call'), params }, recordExchange().exchange)
    expect(server.received.at(-1)?.headers['mcp-param-order']).toBe(order)
  }
  await backend.close()
  await server.close()
})

test('a server with a handshake is not asked for its era by an owner with a handshake', async () => {
  const { opened, asked } = await openInTurn(leanServer(), ['handshake'])
  expect(opened).toEqual(['2025-11-25'])
  expect(asked).not.toContain('server/discover')
})

test('a server of 2024-11-05 is found for an owner with a handshake', async () => {
  const { opened } = await openInTurn(oldServer(statusOnly(405)), ['handshake', 'modern', 'handshake'])
  expect(opened).toEqual(['2024-11-05', '2024-11-05', '2024-11-05'])
})

test('a server of 2024-11-05 is found when it answers each POST with its stream', async () => {
  const old = oldServer(statusOnly(405))
  const { opened } = await openInTurn(
    (to, response) => {
      if (to.method !== 'POST' || to.path === '/messages') return old(to, response)
      openEvents(response)
      sendEvent(response, { event: 'endpoint', data: '/unused' })
    },
    ['handshake', 'modern'],
  )
  expect(opened).toEqual(['2024-11-05', '2024-11-05'])
})

test.each([401, 403, 429, 500])('a server that answers a handshake with %i is asked nothing else', async (status) => {
  const server = await startScriptedServer(leanServer({ ...newerServer, 'POST initialize': statusOnly(status) }))
  const config = { url: `${server.origin}/mcp`, headers: {} }
  const backend = createUrlBackend({ name: 'any', config, log: silentLog, emit: emitNothing })
  const client = recordClient()
  const opening = backend.open(scopeFor(client, { era: 'handshake' }), client, new AbortController().signal)
  await expect(opening).rejects.toThrow(`HTTP ${status}`)
  await backend.close()
  await server.close()
  expect(server.received).toHaveLength(1)
})

/** What an older server answers to a request without a session. */
const withoutSession = statusOnly(400)
const versionRefused: Script = (to, response) =>
  sendJson(response, { jsonrpc: '2.0', id: to.body['id'], error: { code: -32_022, message: 'Unsupported' } }, 400)
const olderScript = leanServer({ 'POST server/discover': withoutSession })
const newerScript = leanServer(newerServer)
const onlyNewer = leanServer({ ...newerServer, 'POST tools/call': versionRefused, 'POST ping': versionRefused })
const onlyOlder = leanServer({ 'POST server/discover': withoutSession, 'POST tools/call': withoutSession })

test.each([
  ['updated', olderScript, '2025-11-25', onlyNewer, '2026-07-28'],
  ['rolled back', newerScript, '2026-07-28', onlyOlder, '2025-11-25'],
  ['rolled back, and says so', newerScript, '2026-07-28', leanServer({ POST: versionRefused }), undefined],
])('a server that is %s at its address is opened again', async (_, before, first, after, second) => {
  let script = before
  const server = await startScriptedServer((to, response) => script(to, response))
  const config = { url: `${server.origin}/mcp`, headers: {} }
  const backend = createUrlBackend({ name: 'any', config, log: silentLog, emit: emitNothing })
  const client = recordClient()
  const { signal } = new AbortController()
  for (const era of ['handshake', 'modern'] as const) {
    script = before
    const link = await backend.open(scopeFor(client, { era }), client, signal)
    expect(link.server.revision).toBe(first)
    const call = () => link.call(createRequest('tools/call', { name: 'x' }), recordExchange().exchange)
    expect(await call()).toMatchObject({ kind: 'complete' })
    script = after
    // Nothing has run: the call can be sent on another link.
    expect(await call()).toMatchObject({ kind: 'error', loss: 'unsent' })
    expect(await link.closed).toBeInstanceOf(Error)
    if (second === undefined) continue
    const again = await backend.open(scopeFor(client, { era }), client, signal)
    expect(again.server.revision).toBe(second)
    await again.close()
  }
  await backend.close()
  await server.close()
})

test('a server of 2026-07-28 that refuses one call remains open', async () => {
  const server = await startScriptedServer(leanServer({ ...newerServer, 'POST tools/call': statusOnly(400) }))
  const config = { url: `${server.origin}/mcp`, headers: {} }
  const backend = createUrlBackend({ name: 'any', config, log: silentLog, emit: emitNothing })
  const client = recordClient()
  const link = await backend.open(scopeFor(client), client, new AbortController().signal)
  const calls = ['a', 'b'].map(async (name) => {
    return await link.call(createRequest('tools/call', { name }), recordExchange().exchange)
  })
  for (const outcome of await Promise.all(calls)) {
    expect(outcome).toMatchObject({ error: { message: 'The backend answered with HTTP 400' } })
    expect(outcome).not.toHaveProperty('loss')
  }
  expect(await link.call(createRequest('prompts/get'), recordExchange().exchange)).toMatchObject({ kind: 'complete' })
  // Both calls have asked together.
  expect(received(server).filter((line) => line === 'POST server/discover')).toHaveLength(2)
  await backend.close()
  await server.close()
})

test('a server of 2026-07-28 that stops still answers the calls on their way', async () => {
  const waiting = Promise.withResolvers<() => void>()
  const serve = async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    const to = JSON.parse(await text(message)) as JsonObject
    const value = { supportedVersions: ['2026-07-28'], capabilities: {}, resultType: 'complete' }
    const body = { jsonrpc: '2.0', id: to['id'] ?? null, result: value }
    const answer = (): void => sendJson(response, body, 200, { connection: 'close' })
    if (to['method'] === 'server/discover') return answer()
    waiting.resolve(answer)
  }
  const http = createServer((message, response) => void serve(message, response))
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  const config = { url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`, headers: {} }
  const backend = createUrlBackend({ name: 'any', config, log: silentLog, emit: emitNothing })
  const client = recordClient()
  const link = await backend.open(scopeFor(client), client, new AbortController().signal)
  const call = () => Promise.resolve(link.call(createRequest('tools/call', { name: 'x' }), recordExchange().exchange))
  const first = call()
  const answer = await waiting.promise
  http.close()
  expect(await call()).toMatchObject({ loss: 'unsent' })
  await link.closed
  answer()
  expect(await first).toMatchObject({ kind: 'complete' })
  await backend.close()
})
