import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { startFront } from '../../../test/front-fixture.ts'
import { callOf, readAll, send, start } from '../../../test/http-fixture.ts'

const nothing = { accept: undefined, 'content-type': undefined }

describe('the stream of a session of the profile saas', () => {
  test('is events at 2024-11-05, the first of which names the URL to post to', async () => {
    const { gateway, port } = await startFront({ publicUrl: 'https://gw.example.com/base' })
    const session = gateway.open('2024-11-05', 'alice', 'queue')
    const path = `/mcp/queue?session_id=${session.id}`
    const response = start(port, { method: 'GET', path, headers: { ...nothing, host: `localhost:${port}` } })
    const { sink } = await gateway.round()
    expect(sink.resumable).toBe(true)
    sink.open('s:0')
    void sink.send('{"a":1}', false, 's:1')
    void sink.send('', true)
    expect((await response).headers['content-type']).toBe('text/event-stream')
    expect(await readAll(await response)).toBe(
      `event: endpoint\ndata: https://gw.example.com/base/mcp/queue/${session.id}\n\nid: s:1\nevent: message\ndata: {"a":1}\n\n`,
    )
  })

  test('names its listening address when there is no public URL, and never a value of a header', async () => {
    const { gateway, port } = await startFront({ listen: { allowedHosts: ['evil.example.com'] } })
    const session = gateway.open('2024-11-05', 'alice', 'queue')
    const headers = { ...nothing, host: 'evil.example.com', 'x-forwarded-host': 'evil.example.com' }
    const response = start(port, { method: 'GET', path: '/mcp/queue', session, headers })
    const { sink } = await gateway.round()
    sink.open()
    void sink.send('', true)
    expect(await readAll(await response)).toBe(
      `event: endpoint\ndata: http://127.0.0.1:${port}/mcp/queue/${session.id}\n\n`,
    )
  })

  test.each(['2025-03-26', '2025-06-18'] as const)('is lines at %s, after a greeting line', async (revision) => {
    const { gateway, port } = await startFront()
    const session = gateway.open(revision, 'alice', 'queue')
    const headers = { ...nothing, 'mcp-protocol-version': revision }
    const response = start(port, { method: 'GET', path: `/mcp/queue/${session.id}`, headers })
    const { sink } = await gateway.round()
    expect(sink.resumable).toBe(true)
    sink.open('s:0')
    void sink.send('{"a":1}', false, 's:1')
    void sink.send('', true)
    expect((await response).headers['content-type']).toBe('application/x-ndjson')
    expect(await readAll(await response)).toBe(
      `{"jsonrpc":"2.0","method":"notifications/connection","params":{"status":"connected","sessionId":"${session.id}"}}\n{"a":1}\n`,
    )
  })

  test('is events at any revision for a client that accepts nothing else', async () => {
    const { gateway, port } = await startFront()
    const session = gateway.open('2025-03-26', 'alice', 'queue')
    const headers = { ...nothing, accept: 'text/event-stream' }
    const response = start(port, { method: 'GET', path: '/mcp/queue', session, headers })
    const { sink } = await gateway.round()
    void sink.send('{"a":1}', false, 's:1')
    void sink.send('', true)
    expect(await readAll(await response)).toBe(
      `event: endpoint\ndata: http://127.0.0.1:${port}/mcp/queue/${session.id}\n\nid: s:1\nevent: message\ndata: {"a":1}\n\n`,
    )
  })

  test.each([
    ['2024-11-05', /\n: keepalive\n\n$/],
    [
      '2025-03-26',
      /\n\{"jsonrpc":"2\.0","method":"notifications\/ping","params":\{"timestamp":"2024-01-15T10:30:0\dZ"\}\}\n$/,
    ],
  ] as const)('at %s shows while it is silent that it lives', async (revision, sign) => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'], now: Date.UTC(2024, 0, 15, 10, 30) })
    onTestFinished(() => void vi.useRealTimers())
    const { gateway, port } = await startFront({ limits: { streamKeepAliveMs: 1_000 } })
    const session = gateway.open(revision, 'alice', 'queue')
    const response = start(port, { method: 'GET', path: '/mcp/queue', session, headers: nothing })
    const { sink } = await gateway.round()
    sink.open()
    vi.advanceTimersByTime(3_000)
    void sink.send('', true)
    expect(await readAll(await response)).toMatch(sign)
  })
})

describe('the stream of a session of the profile saas, resumed', () => {
  const nothingSeen = { lastEventId: null }

  test.each([
    ['2024-11-05', '/mcp/queue', 's:7', { lastEventId: 's:7' }],
    ['2025-03-26', '/mcp/queue', 's:7', { lastEventId: 's:7' }],
    ['2025-03-26', '/mcp/queue?cursor=s:7', undefined, { lastEventId: 's:7' }],
    ['2025-03-26', '/mcp/queue?cursor=', undefined, nothingSeen],
    ['2025-03-26', '/mcp/queue', undefined, nothingSeen],
  ] as const)('at %s by %s and Last-Event-ID %s', async (revision, path, lastEventId, params) => {
    const { gateway, port } = await startFront()
    const session = gateway.open(revision, 'alice', 'queue')
    const headers = { ...nothing, 'last-event-id': lastEventId }
    const response = start(port, { method: 'GET', path, session, headers })
    const { message, sink } = await gateway.round()
    expect(message.params?.value()).toEqual(params)
    void sink.send('', true)
    await readAll(await response)
  })

  test('sends places between lines to a client that asks for them', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'], now: Date.UTC(2024, 0, 15, 10, 30) })
    onTestFinished(() => void vi.useRealTimers())
    const { gateway, port } = await startFront({ limits: { streamKeepAliveMs: 1_000 } })
    const session = gateway.open('2025-03-26', 'alice', 'queue')
    const response = start(port, { method: 'GET', path: '/mcp/queue?cursor=', session, headers: nothing })
    const { sink } = await gateway.round()
    sink.open('s:3')
    void sink.send('{"a":1}', false, 's:4')
    vi.advanceTimersByTime(1_500)
    // Other messages were sent on other streams.
    sink.open('s:9')
    void sink.send('', true)
    const lines = (await readAll(await response)).trim().split('\n')
    const messages = lines.map((line) => JSON.parse(line) as unknown)
    const place = (cursor: string): object => ({ method: 'notifications/ping', params: { cursor } })
    expect(messages[0]).toMatchObject({
      method: 'notifications/connection',
      params: { status: 'connected', sessionId: session.id, cursor: 's:3' },
    })
    expect(messages.slice(1)).toMatchObject([{ a: 1 }, place('s:4'), place('s:9')])
  })

  test('ignores a cursor in the query at a tenant of another profile', async () => {
    const { gateway, port } = await startFront()
    const session = gateway.open('2025-03-26', 'alice', 'acme')
    const response = start(port, { method: 'GET', path: '/mcp/acme?cursor=s:7', session })
    const { message, sink } = await gateway.round()
    expect(message.params?.value()).toEqual(nothingSeen)
    void sink.send('', true)
    await readAll(await response)
  })
})

describe('a session of the profile saas', () => {
  test.each([
    ['by its header', '/mcp/queue', true],
    ['by the path', '/mcp/queue/sess_0', false],
    ['by the query', '/mcp/queue?session_id=sess_0', false],
    ['by all three', '/mcp/queue/sess_0?session_id=sess_0', true],
  ])('is named %s', async (_name, path, inHeader) => {
    const { gateway, port } = await startFront()
    const session = gateway.open('2024-11-05', 'alice', 'queue')
    const named = inHeader ? session : undefined
    expect((await send(port, { path, session: named, body: callOf('echo') })).status).toBe(200)
    expect((await send(port, { method: 'DELETE', path, session: named })).status).toBe(204)
    expect(gateway.sessions.size).toBe(0)
  })

  test.each([
    ['header and path', '/mcp/queue/other', true],
    ['header and query', '/mcp/queue?session_id=other', true],
    ['path and query', '/mcp/queue/sess_0?session_id=other', false],
    ['two of the query', '/mcp/queue?session_id=sess_0&session_id=other', false],
  ])('is refused when %s disagree', async (_name, path, inHeader) => {
    const { gateway, port } = await startFront()
    const session = gateway.open('2025-03-26', 'alice', 'queue')
    for (const method of ['POST', 'GET', 'DELETE']) {
      const body = method === 'POST' ? callOf('echo') : ''
      const answer = await send(port, { method, path, session: inHeader ? session : undefined, body })
      expect(answer.status).toBe(400)
      expect(JSON.parse(answer.text)).toMatchObject({ id: null, error: { code: -32600 } })
    }
    expect(gateway.received).toEqual([])
  })

  test('that is missing or unknown is refused with the codes of the profile', async () => {
    const { port } = await startFront()
    const missing = await send(port, { method: 'GET', path: '/mcp/queue' })
    expect(missing.status).toBe(400)
    expect(JSON.parse(missing.text)).toMatchObject({ id: null, error: { code: -32001, message: 'Session required' } })
    const unknown = await send(port, { path: '/mcp/queue/sess_7', body: callOf('echo') })
    expect(unknown.status).toBe(404)
    expect(JSON.parse(unknown.text)).toMatchObject({ id: 1, error: { code: -32001 } })
  })

  test.each([
    ['2025-06-18', undefined, 400],
    ['2025-06-18', '2025-06-18', 200],
    ['2025-03-26', undefined, 200],
  ] as const)('of %s that is asked with MCP-Protocol-Version %s answers %i', async (revision, named, status) => {
    const { gateway, port } = await startFront()
    const session = gateway.open(revision, 'alice', 'queue')
    const headers = { 'mcp-protocol-version': named }
    expect((await send(port, { path: '/mcp/queue', session, headers, body: callOf('echo') })).status).toBe(status)
  })
})

test('an unsupported HTTP method is refused with the code of the profile', async () => {
  const { port } = await startFront()
  const answer = await send(port, { method: 'PUT', path: '/mcp/queue', body: '{}' })
  expect(answer.status).toBe(405)
  expect(JSON.parse(answer.text)).toMatchObject({ id: null, error: { code: -32002 } })
})

test('a tenant of another profile has no sessions in paths and queries', async () => {
  const { gateway, port } = await startFront()
  const { id } = gateway.open('2025-11-25', 'alice', 'acme')
  expect((await send(port, { path: `/mcp/acme/${id}`, body: callOf('echo') })).status).toBe(404)
  const answer = send(port, { path: `/mcp/acme?session_id=${id}`, body: callOf('wait') })
  const { from, sink } = await gateway.round()
  expect(from.session).toBeUndefined()
  void sink.send('{}', true)
  await answer
})
