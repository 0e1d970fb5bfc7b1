import type { ServerResponse } from 'node:http'
import { payloadOf, type TelemetryEvent } from '@junctor/plugin-sdk/link'
import {
  createRequest,
  openEvents,
  recordClient,
  recordExchange,
  routes,
  type Script,
  sendEvent,
  sendJson,
  statusOnly,
  eventually,
} from '@junctor/testkit'
import { expect, test } from 'vitest'
import { answers, leanServer, openLean, opensSessions, received, result } from '../../test/lean-server.ts'
import { tracedExchange } from '../../test/traced-exchange.ts'

const toolsCall = createRequest('tools/call', { name: 'echo', arguments: {} })

/** Answers with each script once, and then always with the last one. */
function inTurn(...scripts: readonly Script[]): Script {
  let count = 0
  return (request, response) => {
    const script = scripts[Math.min(count, scripts.length - 1)]
    count += 1
    script?.(request, response)
  }
}

const sessionNotFound: Script = (_, response) => void response.writeHead(401).end('Unauthorized: Session not found')
const changed = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' }

test('the handshake, a call and the end of a session', async () => {
  const { server, link } = await openLean(leanServer())
  expect(await link.call(toolsCall, recordExchange().exchange)).toMatchObject({ kind: 'complete' })
  await link.close()
  expect(received(server)).toEqual([
    'POST initialize',
    'POST notifications/initialized',
    'GET',
    'POST tools/call',
    'DELETE',
  ])
  expect(server.received[0]?.body).toMatchObject({
    params: { protocolVersion: '2025-11-25', clientInfo: { name: 'junctor' } },
  })
  expect(server.received[3]?.headers).toMatchObject({ 'mcp-session-id': 's-1', 'mcp-protocol-version': '2025-11-25' })
})

test('a server that refuses newer revisions receives an older offer, for every status of the refusal', async () => {
  const offered: unknown[] = []
  const revisions: unknown[] = []
  for (const [status, data] of [
    [200, undefined],
    [400, { supported: ['2025-03-26', '2024-11-05'] }],
  ] as const) {
    const opens = opensSessions()
    const script = leanServer({
      'POST initialize': (to, response) => {
        const { protocolVersion } = to.body['params'] as { protocolVersion: string }
        offered.push(protocolVersion)
        const error = { code: -32602, message: 'Unsupported protocol version', data }
        if (protocolVersion.startsWith('2025-11'))
          sendJson(response, { jsonrpc: '2.0', id: to.body['id'], error }, status)
        else if (status === 400) sendJson(response, result(to, { protocolVersion, capabilities: {}, serverInfo: {} }))
        else opens(to, response)
      },
    })
    const { link } = await openLean(script)
    revisions.push(link.server.revision)
  }
  expect(offered).toEqual(['2025-11-25', '2024-11-05', '2025-11-25', '2025-03-26'])
  expect(revisions.at(-1)).toBe('2025-03-26')
})

test('a client that throws on a message of a server affects only that message, which is counted', async () => {
  const changes: Script = (_to, response) => {
    openEvents(response)
    sendEvent(response, { data: changed })
    sendEvent(response, { data: changed })
  }
  let reports = 0
  const client = Object.assign(recordClient(), {
    notify() {
      reports += 1
      throw new Error('broken')
    },
  })
  const events: TelemetryEvent[] = []
  const { link } = await openLean(leanServer({ GET: changes }), client, {}, (event) => void events.push(event))
  await eventually(() => expect(reports).toBe(2))
  const failure = { kind: 'plugin_failed', backend: 'lean' }
  expect(events.filter(({ kind }) => kind === 'plugin_failed')).toEqual([failure, failure])
  expect(await link.call(toolsCall, recordExchange().exchange)).toMatchObject({ kind: 'complete' })
})

test('a call carries the trace of its request', async () => {
  const { server, link } = await openLean(leanServer())
  await link.call(toolsCall, tracedExchange('00-1-2-01'))
  const [call] = server.received.filter(({ body }) => body['method'] === 'tools/call')
  expect(call?.body['params']).toMatchObject({ _meta: { traceparent: '00-1-2-01' } })
})

test('a call that a server refused because it forgot the session is sent once more, in another session', async () => {
  const client = recordClient()
  const script = leanServer({ 'POST tools/call': inTurn(answers, statusOnly(404), answers) })
  const { server, link } = await openLean(script, client)
  await link.call(toolsCall, recordExchange().exchange)
  expect(await link.call(toolsCall, recordExchange().exchange)).toMatchObject({ kind: 'complete' })
  const calls = server.received.filter(({ body }) => body['method'] === 'tools/call')
  expect(calls.map(({ headers }) => headers['mcp-session-id'])).toEqual(['s-1', 's-1', 's-2'])
  expect(received(server)).not.toContain('DELETE')
  expect(client.notifications).toEqual([{ method: 'notifications/tools/list_changed', params: undefined }])
})

test.each([
  ['400', statusOnly(400)],
  ['401 that names the session, as rmcp 0.8 does,', sessionNotFound],
])('when a server answers %s for a forgotten session, a ping detects it', async (_answer, forgotten) => {
  const script = leanServer({
    'POST tools/call': inTurn(answers, forgotten, answers),
    'POST ping': forgotten,
  })
  const { server, link } = await openLean(script)
  await link.call(toolsCall, recordExchange().exchange)
  expect(await link.call(toolsCall, recordExchange().exchange)).toMatchObject({ kind: 'complete' })
  expect(
    received(server)
      .filter((line) => line.startsWith('POST'))
      .slice(2),
  ).toEqual([
    'POST tools/call',
    'POST tools/call',
    'POST ping',
    'POST initialize',
    'POST notifications/initialized',
    'POST tools/call',
  ])
})

test.each([400, 401])('%i for a call in a valid session is an error of that call', async (status) => {
  const { server, link } = await openLean(leanServer({ 'POST tools/call': statusOnly(status) }))
  expect(await link.call(toolsCall, recordExchange().exchange)).toMatchObject({
    error: { message: `The backend answered with HTTP ${status}` },
  })
  expect(received(server).filter((line) => line === 'POST initialize')).toHaveLength(1)
})

test('settings of a lost session are restored before any other request is sent', async () => {
  const script = leanServer({ 'POST tools/call': inTurn(statusOnly(404), answers) })
  const { server, link } = await openLean(script)
  const set = async (method: string, params: object) =>
    link.call(createRequest(method, { ...params }), recordExchange().exchange)
  await set('logging/setLevel', { level: 'debug' })
  await set('resources/subscribe', { uri: 'test://kept' })
  await set('resources/subscribe', { uri: 'test://dropped' })
  await set('resources/unsubscribe', { uri: 'test://dropped' })
  await link.call(toolsCall, recordExchange().exchange)
  const renewed = server.received.filter(
    ({ headers }) => headers['mcp-session-id'] === 's-2' && headers['content-type'],
  )
  expect(renewed.map(({ body }) => [body['method'], body['params']])).toEqual([
    ['notifications/initialized', undefined],
    ['logging/setLevel', { level: 'debug' }],
    ['resources/subscribe', { uri: 'test://kept' }],
    ['tools/call', expect.anything()],
  ])
})

test('calls that are refused at the same time open one session together', async () => {
  const known = new Set(['s-2'])
  const script = leanServer({
    'POST tools/call'(to, response) {
      const lost = known.has(String(to.headers['mcp-session-id'])) ? answers : statusOnly(404)
      lost(to, response)
    },
  })
  const { server, link } = await openLean(script)
  await link.call(createRequest('ping'), recordExchange().exchange)
  const outcomes = await Promise.all(
    Array.from({ length: 10 }, async () => link.call(toolsCall, recordExchange().exchange)),
  )
  expect(outcomes.map(({ kind }) => kind)).toEqual(Array.from({ length: 10 }, () => 'complete'))
  expect(received(server).filter((line) => line === 'POST initialize')).toHaveLength(2)
})

test('a server that forgets every session is given up: no loop', async () => {
  const { server, link } = await openLean(leanServer({ 'POST tools/call': statusOnly(404) }))
  expect(await link.call(toolsCall, recordExchange().exchange)).toMatchObject({
    kind: 'error',
    error: { code: -32000, message: 'The backend cannot be reached' },
  })
  expect(await link.closed).toMatchObject({ code: 'BACKEND_REFUSED' })
  expect(received(server).filter((line) => line === 'POST initialize')).toHaveLength(1)
  expect(await link.call(toolsCall, recordExchange().exchange)).toMatchObject({ kind: 'error' })
})

test('a call is sent at most twice, even when other calls succeed in the sessions', async () => {
  const held = Promise.withResolvers<ServerResponse>()
  const script = leanServer({
    'POST tools/call': inTurn(statusOnly(404), (_, response) => held.resolve(response), answers),
  })
  const { server, link } = await openLean(script)
  const ping = () => link.call(createRequest('ping'), recordExchange().exchange)
  await ping()
  const outcome = link.call(toolsCall, recordExchange().exchange)
  const second = await held.promise
  await ping()
  second.writeHead(404).end()
  expect(await outcome).toMatchObject({ kind: 'error' })
  expect(received(server).filter((line) => line === 'POST tools/call')).toHaveLength(2)
})

test('when no other session can be opened, the link ends and reports the reason', async () => {
  const script = leanServer({
    'POST initialize': inTurn(opensSessions(), statusOnly(500)),
    'POST tools/call': statusOnly(404),
  })
  const { link } = await openLean(script)
  await link.call(createRequest('ping'), recordExchange().exchange)
  expect(await link.call(toolsCall, recordExchange().exchange)).toMatchObject({
    error: { message: 'The backend cannot be reached' },
  })
  expect(await link.closed).toMatchObject({ message: expect.stringContaining('HTTP 500') })
})

test.each([
  ['404', statusOnly(404), answers],
  ['400, which a ping confirms', statusOnly(400), statusOnly(400)],
  ['401, and a ping says why', sessionNotFound, sessionNotFound],
])('a session that is lost while no call is in flight is opened again, after %s', async (_answer, again, ping) => {
  let stream: ServerResponse | undefined
  const client = recordClient()
  const script = leanServer({
    GET: inTurn(
      (_, response) => {
        stream = response
        openEvents(response)
        sendEvent(response, { retry: 1 })
      },
      again,
      (_, response) => {
        openEvents(response)
        sendEvent(response, { data: changed })
      },
    ),
    'POST ping': ping,
  })
  const { server, link } = await openLean(script, client)
  await link.call(toolsCall, recordExchange().exchange)
  stream?.end()
  await eventually(() => expect(client.notifications).toHaveLength(2))
  expect(received(server).filter((line) => line === 'POST initialize')).toHaveLength(2)
})

test('closing a link while it opens another session leaves nothing open', async () => {
  const script = leanServer({
    'POST initialize': inTurn(opensSessions(), () => {}),
    'POST tools/call': statusOnly(404),
  })
  const { server, link } = await openLean(script)
  await link.call(createRequest('ping'), recordExchange().exchange)
  const outcome = link.call(toolsCall, recordExchange().exchange)
  await eventually(() => expect(received(server).filter((line) => line === 'POST initialize')).toHaveLength(2))
  await link.close()
  expect(await outcome).toMatchObject({ error: { message: 'The backend cannot be reached' } })
  expect(await link.closed).toBeUndefined()
})

test('a list survives the loss of its session', async () => {
  const lists: Script = (to, response) => sendJson(response, result(to, { tools: [{ name: 'echo' }] }))
  const { link } = await openLean(leanServer({ 'POST tools/list': inTurn(lists, statusOnly(404), lists) }))
  await link.list('tools', new AbortController().signal)
  expect(await link.list('tools', new AbortController().signal)).toHaveLength(1)
})

test('when the connection of a call is cut, the error reports an unknown effect, and nothing is sent again', async () => {
  const { server, link } = await openLean(leanServer({ 'POST tools/call': (_, response) => response.destroy() }))
  const outcome = await link.call(toolsCall, recordExchange().exchange)
  expect(outcome).toMatchObject({ kind: 'error', error: { message: 'The backend ended before it answered' } })
  expect(received(server).filter((line) => line === 'POST tools/call')).toHaveLength(1)
})

test.each([
  [429, { 'retry-after': '3' }, { reason: 'backend_unavailable', retryable: true, retryAfterMs: 3000 }],
  [503, {}, { reason: 'backend_unavailable', retryable: true }],
  [502, {}, { reason: 'backend_exited', retryable: false }],
  [401, {}, { reason: 'backend_unavailable', retryable: false }],
  [302, { location: 'http://127.0.0.1:1/' }, { reason: 'backend_unavailable', retryable: false }],
])('HTTP %i is an error whose data reports whether a retry may help', async (code, headers, data) => {
  const { link } = await openLean(
    leanServer({ 'POST tools/call': (_, response) => response.writeHead(code, headers).end() }),
  )
  const outcome = await link.call(toolsCall, recordExchange().exchange)
  expect(outcome).toMatchObject({
    kind: 'error',
    error: { message: expect.stringContaining(`The backend answered with HTTP ${code}`) },
  })
  expect((outcome as { error: { data: { value(): unknown } } }).error.data.value()).toEqual({
    ...data,
    backend: 'lean',
  })
})

test('progress, logs and requests on the stream of a call belong to that call, also on a shared link', async () => {
  let question: ServerResponse | undefined
  const script = leanServer({
    'POST tools/call'(to, response) {
      question = response
      const meta = (to.body['params'] as { _meta: { progressToken: number } })._meta
      openEvents(response)
      sendEvent(response, {
        data: { jsonrpc: '2.0', method: 'notifications/progress', params: { ...meta, progress: 1 } },
      })
      sendEvent(response, { data: { jsonrpc: '2.0', method: 'notifications/message', params: { data: 'log' } } })
      sendEvent(response, { data: { jsonrpc: '2.0', id: 'q', method: 'elicitation/create', params: { message: '?' } } })
    },
    POST(to, response) {
      response.writeHead(202).end()
      sendEvent(question as ServerResponse, { data: { jsonrpc: '2.0', id: 2, result: to.body['result'] ?? {} } })
    },
  })
  const client = recordClient()
  const { link } = await openLean(script, client, { principal: undefined, session: undefined })
  const { exchange, events, asks } = recordExchange({ init: { wantsProgress: true } })
  const outcome = link.call(toolsCall, exchange)
  await eventually(() => expect(asks.size).toBe(1))
  exchange.answer([...asks.keys()][0] ?? '', { result: payloadOf({ action: 'decline' }) })
  expect(await outcome).toMatchObject({ kind: 'complete' })
  expect(events.map(({ kind }) => kind)).toEqual(['progress', 'notification', 'ask'])
  expect(client.notifications).toEqual([])
})

test.each([
  ['on a link for everyone', { principal: undefined, session: undefined }, -32601, 0],
  ['on a link of one session', {}, undefined, 1],
])('%s: a question outside of any call', async (_, scope, code, asked) => {
  const answered = Promise.withResolvers<unknown>()
  const script = leanServer({
    GET(_to, response) {
      openEvents(response)
      sendEvent(response, { data: { jsonrpc: '2.0', id: 0, method: 'roots/list' } })
    },
    POST(to, response) {
      answered.resolve(to.body)
      response.writeHead(202).end()
    },
  })
  const client = recordClient({ answer: () => ({ result: payloadOf({ roots: [] }) }) })
  await openLean(script, client, scope)
  const body = (await answered.promise) as { id: number; error?: { code: number } }
  expect(body.id).toBe(0)
  expect(body.error?.code).toBe(code)
  expect(client.asked).toHaveLength(asked)
})

test('the link answers a ping, and refuses an unknown request', async () => {
  const bodies: unknown[] = []
  const script = leanServer({
    GET(_to, response) {
      openEvents(response)
      sendEvent(response, { data: { jsonrpc: '2.0', id: 'p', method: 'ping' } })
      sendEvent(response, { data: { jsonrpc: '2.0', id: 'u', method: 'no/such' } })
    },
    POST(to, response) {
      bodies.push(to.body)
      response.writeHead(202).end()
    },
  })
  await openLean(script)
  await eventually(() => expect(bodies).toHaveLength(2))
  expect(bodies).toContainEqual({ jsonrpc: '2.0', id: 'p', result: {} })
  expect(bodies).toContainEqual(expect.objectContaining({ id: 'u', error: expect.objectContaining({ code: -32601 }) }))
})

test('a call that is cancelled is cancelled upstream, with its upstream id', async () => {
  const script = leanServer({
    'POST tools/call': (_, response) => openEvents(response),
    'POST notifications/cancelled': statusOnly(202),
  })
  const { server, link } = await openLean(script)
  const { exchange } = recordExchange({ request: toolsCall })
  const outcome = link.call(toolsCall, exchange)
  await eventually(() => expect(received(server)).toContain('POST tools/call'))
  exchange.end('deadline')
  expect(await outcome).toMatchObject({ kind: 'error', error: { message: 'The deadline of the request has passed' } })
  await eventually(() => expect(received(server)).toContain('POST notifications/cancelled'))
  const call = server.received.find(({ body }) => body['method'] === 'tools/call')
  const cancel = server.received.find(({ body }) => body['method'] === 'notifications/cancelled')
  expect(cancel?.body['params']).toEqual({ requestId: call?.body['id'], reason: 'deadline' })
})

test('when a server refuses the handshake, the error contains its reason', async () => {
  await expect(openLean(routes({ 'POST initialize': statusOnly(401) }))).rejects.toMatchObject({
    code: 'BACKEND_REFUSED',
    message: expect.stringContaining('HTTP 401'),
  })
})
