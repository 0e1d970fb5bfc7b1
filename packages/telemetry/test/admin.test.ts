import { once } from 'node:events'
import { setImmediate as turn } from 'node:timers/promises'
import { request as httpRequest } from 'node:http'
import { connect, createServer, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { type TelemetryEvent, silentLog } from '@junctor/contracts'
import {
  type Admin,
  type AdminOptions,
  createAdmin,
  createEventLog,
  type EventLog,
  type GatewayEvent,
  type Readiness,
} from '../src/index.ts'

const token = 'a-token-for-tests'
/** Credentials that are not valid for the admin port of the test. */
const refused: readonly Record<string, string>[] = [
  {},
  { authorization: 'Bearer wrong' },
  { authorization: token },
  { authorization: 'Bearer ' },
]
const withToken = { authorization: `Bearer ${token}` }

let readiness: Readiness
let events: EventLog
let admin: Admin
let silent: readonly string[]
let url: string
const status = vi.fn<AdminOptions['status']>()
const log = { ...silentLog, error: vi.fn<typeof silentLog.error>() }

function optionsWith(listen: Partial<AdminOptions['listen']>): AdminOptions {
  return {
    listen: { host: '127.0.0.1', port: 0, token, ...listen },
    ready: () => readiness,
    status,
    events,
    allEvents: async (tenant, asked) => ({ ...events.query(tenant, asked), silent }),
    metrics: { text: () => Promise.resolve('a_metric 1\n'), contentType: 'text/plain; version=0.0.4' },
    log,
  }
}

beforeEach(async () => {
  readiness = { ready: true }
  silent = []
  status.mockReset().mockResolvedValue({ node: 'n1' })
  log.error.mockReset()
  const tenants = new Map(Object.entries({ a: ['files'], b: [] }))
  events = createEventLog({ source: 'gw', keep: 100, tenants, log })
  admin = createAdmin(optionsWith({}))
  ;({ url } = await admin.listen())
})

afterEach(() => admin.close())

function toolCall(tenant: string, tool: string): TelemetryEvent {
  return { kind: 'tool_call_started', tenant, backend: 'files', tool, trace: 'a'.repeat(32), principal: 'key:bob' }
}

function get(path: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${url}${path}`, { headers })
}

/** Sends a request with `Host`, which `fetch` does not allow to set. */
async function statusWith(headers: Record<string, string>, path = '/livez'): Promise<number | undefined> {
  const sent = httpRequest(`${url}${path}`, { headers })
  sent.end()
  const [response] = (await once(sent, 'response')) as [import('node:http').IncomingMessage]
  response.resume()
  return response.statusCode
}

async function* lines(response: Response): AsyncGenerator<GatewayEvent> {
  let rest = ''
  for await (const text of (response.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream())) {
    const whole = (rest + text).split('\n')
    rest = whole.pop() ?? ''
    for (const line of whole) yield JSON.parse(line) as GatewayEvent
  }
  expect(rest).toBe('')
}

async function nextLine(reader: AsyncGenerator<GatewayEvent>): Promise<GatewayEvent> {
  const { value, done } = await reader.next()
  if (done === true) throw new Error('expected a line, got the end')
  return value
}

test('probes and metrics are open', async () => {
  const live = await get('/livez')
  expect([live.status, await live.json()]).toEqual([200, { status: 'ok' }])
  const ready = await get('/readyz')
  expect([ready.status, await ready.json()]).toEqual([200, { status: 'ready' }])
  const metrics = await get('/metrics')
  expect([metrics.status, metrics.headers.get('content-type'), await metrics.text()]).toEqual([
    200,
    'text/plain; version=0.0.4',
    'a_metric 1\n',
  ])
})

test('a node that accepts no new work is not ready, and reports why', async () => {
  readiness = { ready: false, reason: 'draining' }
  const response = await get('/readyz')
  expect([response.status, await response.json()]).toEqual([503, { status: 'not_ready', reason: 'draining' }])
  expect((await get('/livez')).status).toBe(200)
  expect(await (await get('/status', withToken)).json()).toEqual({ node: 'n1', notReady: 'draining' })
})

test.each(['/status', '/events'])('%s needs the token', async (path) => {
  for (const headers of refused) {
    const response = await get(path, headers)
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
    expect(await response.json()).toMatchObject({ error: 'unauthorized', message: expect.stringContaining('token') })
  }
  expect((await get(path, withToken)).status).toBe(200)
})

test('a token that can be guessed is refused', () => {
  expect(() => createAdmin(optionsWith({ token: 'fifteen-letters' }))).toThrow(/at least 16 characters, got 15/)
})

test('a request that names two hosts is refused', async () => {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.end('GET /livez HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\nConnection: close\r\n\r\n')
  let text = ''
  for await (const chunk of socket.setEncoding('utf8')) text += String(chunk)
  expect(text).toMatch(/^HTTP\/1\.1 400 /)
})

test.each(['/status', '/events'])(
  'without a configured token %s is refused with the name of the setting',
  async (path) => {
    const closedAdmin = createAdmin(optionsWith({ token: undefined }))
    const { url: other } = await closedAdmin.listen()
    try {
      const response = await fetch(`${other}${path}`, { headers: { authorization: 'Bearer undefined' } })
      expect(response.status).toBe(401)
      expect(await response.json()).toMatchObject({ message: expect.stringContaining('listen.admin.token') })
    } finally {
      await closedAdmin.close()
    }
  },
)

test('the status is that of the node', async () => {
  const response = await get('/status', withToken)
  expect(response.headers.get('content-type')).toMatch(/^application\/json/)
  expect(await response.json()).toEqual({ node: 'n1' })
})

test('an error in the status is shown without its secrets', async () => {
  status.mockResolvedValue({
    backends: [{ name: 'files', error: 'cannot reach https://user:canary@host/?token=canary' }],
  })
  const text = await (await get('/status', withToken)).text()
  expect(text).toContain('cannot reach https://')
  expect(text).not.toContain('canary')
})

test('an internal failure is only logged', async () => {
  status.mockRejectedValue(new Error('secret detail'))
  const response = await get('/status', withToken)
  expect(response.status).toBe(500)
  expect(await response.text()).not.toMatch(/secret detail|at |\.ts/)
  expect(log.error).toHaveBeenCalledOnce()
  expect((await get('/livez')).status).toBe(200)
})

test('HEAD has the headers of GET and no body', async () => {
  for (const path of ['/livez', '/readyz', '/metrics']) {
    const response = await fetch(`${url}${path}`, { method: 'HEAD' })
    expect([response.status, await response.text()]).toEqual([200, ''])
    expect(Number(response.headers.get('content-length'))).toBeGreaterThan(0)
  }
  const follow = await fetch(`${url}/events?follow=true`, { method: 'HEAD', headers: withToken })
  expect([follow.status, await follow.text()]).toEqual([200, ''])
})

test('other paths are 404, other methods 405, both in JSON', async () => {
  for (const path of ['/', '/mcp', '/events/x', '/livez/']) {
    const response = await get(path)
    expect([path, response.status, await response.json()]).toMatchObject([path, 404, { error: 'not_found' }])
  }
  for (const method of ['POST', 'DELETE', 'PUT', 'OPTIONS', 'PROPFIND']) {
    const response = await fetch(`${url}/status`, { method, ...(method === 'POST' && { body: '{}' }) })
    expect([method, response.status, response.headers.get('allow')]).toEqual([method, 405, 'GET, HEAD'])
    expect(await response.json()).toMatchObject({ error: 'method_not_allowed' })
  }
})

test('web pages are refused', async () => {
  expect(await statusWith({ host: 'evil.example' })).toBe(403)
  expect(await statusWith({ host: 'localhost', origin: 'https://evil.example' })).toBe(403)
  expect(await statusWith({ host: 'localhost', origin: 'http://localhost:5173' })).toBe(200)
  expect(await statusWith({ host: '127.0.0.2' })).toBe(403)
  expect(await statusWith({ host: 'evil.example' }, '/nothing')).toBe(403)
})

test('the listen host is an allowed host', async () => {
  // A resolver maps this to 127.0.0.1; otherwise it is an ordinary name.
  const host = '127.1'
  expect(await statusWith({ host })).toBe(403)
  await admin.close()
  admin = createAdmin(optionsWith({ host }))
  ;({ url } = await admin.listen())
  expect(await statusWith({ host: new URL(url).host.replace('127.0.0.1', host) })).toBe(200)
  expect(await statusWith({ host: 'evil.example' })).toBe(403)
})

test('events match the query, oldest first', async () => {
  events.take(toolCall('a', 'one'))
  events.take(toolCall('b', 'two'))
  events.take({ kind: 'node_started', node: 'n1' })
  const ask = async (query: string): Promise<unknown[]> => {
    const found = (await (await get(`/events${query}`, withToken)).json()) as GatewayEvent[]
    return found.map((event) => event['tool'] ?? event.event_type)
  }
  expect(await ask('')).toEqual(['one', 'two', 'gateway.started'])
  expect(await ask('?tenant=a')).toEqual(['one', 'gateway.started'])
  expect(await ask('?tenant=a&status=pending&limit=1&since=1h&event_type=')).toEqual(['one'])
  expect(await ask(`?trace_id=${'a'.repeat(32)}&tenant=b`)).toEqual(['two'])
})

test('an unknown tenant is distinguished from one without events', async () => {
  expect(await (await get('/events?tenant=b', withToken)).json()).toEqual([])
  for (const query of ['tenant=unknown', 'tenant=unknown&follow=true']) {
    const response = await get(`/events?${query}`, withToken)
    expect(response.status).toBe(404)
    expect(await response.json()).toEqual({
      error: 'unknown_tenant',
      message: 'tenant: expected one of the configuration, got "unknown"',
    })
  }
  events.setTenants(new Map([['unknown', []]]))
  expect((await get('/events?tenant=unknown', withToken)).status).toBe(200)
  expect((await get('/events?tenant=b', withToken)).status).toBe(404)
})

test('no answer may be cached', async () => {
  for (const path of ['/livez', '/readyz', '/metrics', '/status', '/events', '/events?tenant=missing', '/nothing'])
    expect([path, (await get(path, withToken)).headers.get('cache-control')]).toEqual([path, 'no-store'])
  expect((await get('/status')).headers.get('cache-control')).toBe('no-store')
})

test.each([
  ['limit=0', 'limit: expected an integer from 1 to 1000, got 0'],
  ['limit=many', 'limit: expected an integer from 1 to 1000, got "many"'],
  ['since=yesterday', 'since: '],
  ['status=ok', 'status: '],
  ['trace_id=1', 'trace_id: '],
  ['event_type=gateway.toolcall', 'event_type: expected one of gateway.started, '],
  ['follow=yes', 'follow: '],
  ['tennant=a', 'expected one of tenant, '],
])('?%s is a bad request', async (query, message) => {
  const response = await get(`/events?${query}`, withToken)
  expect(response.status).toBe(400)
  expect(await response.json()).toEqual({ error: 'bad_request', message: expect.stringContaining(message) })
})

test('a follower receives the old events, then each new one, only those that match', async () => {
  events.take(toolCall('a', 'old'))
  events.take(toolCall('b', 'not asked for'))
  const response = await get('/events?follow=true&tenant=a&status=pending', withToken)
  expect(response.headers.get('content-type')).toBe('application/x-ndjson')
  const reader = lines(response)
  expect(await nextLine(reader)).toMatchObject({ tool: 'old', status: 'pending' })
  events.take(toolCall('b', 'not asked for'))
  events.take({ kind: 'node_started', node: 'n1' })
  events.take(toolCall('a', 'new'))
  expect(await nextLine(reader)).toMatchObject({ tool: 'new' })
  await admin.close()
  expect(await reader.next()).toMatchObject({ done: true })
})

test('nodes that did not answer are named next to the events of the others', async () => {
  events.take(toolCall('a', 'read'))
  expect((await get('/events', withToken)).headers.has('junctor-silent-nodes')).toBe(false)
  silent = ['n2', 'n3']
  const answer = await get('/events', withToken)
  expect(answer.headers.get('junctor-silent-nodes')).toBe('n2, n3')
  expect(await answer.json()).toHaveLength(1)
})

test('a follower is not disconnected because of many old events', async () => {
  // 5 MB: more than a follower may leave unread of new events.
  const big = 'x'.repeat(50_000)
  for (let count = 0; count < 100; count += 1) events.take(toolCall('a', `${count}${big}`))
  const reader = lines(await get('/events?follow=true', withToken))
  for (let count = 0; count < 100; count += 1) expect((await nextLine(reader))['tool']).toBe(`${count}${big}`)
  events.take(toolCall('a', 'new'))
  expect(await nextLine(reader)).toMatchObject({ tool: 'new' })
  await reader.return(undefined)
})

test('nothing is written to a follower that has left', async () => {
  const close = vi.fn<() => Promise<void>>(() => Promise.resolve())
  const followed = {
    ...events,
    follow: vi.fn<EventLog['follow']>(() => ({ kind: 'events', events: [], following: { close } })),
  }
  const other = createAdmin({ ...optionsWith({}), events: followed })
  const { url: at } = await other.listen()
  const leave = new AbortController()
  await fetch(`${at}/events?follow=true`, { headers: withToken, signal: leave.signal })
  expect(followed.follow).toHaveBeenCalledOnce()
  leave.abort()
  await expect.poll(() => close).toHaveBeenCalled()
  await other.close()
})

test('a follower that does not read is disconnected, without an effect on others', async () => {
  const { port } = new URL(url)
  const socket = connect(Number(port), '127.0.0.1')
  socket.write(`GET /events?follow=true HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${token}\r\n\r\n`)
  await once(socket, 'data')
  socket.pause()
  const closed = once(socket, 'close')
  const reader = lines(await get('/events?follow=true&status=success', withToken))
  const big = 'x'.repeat(10_000)
  let count = 0
  // The operating system itself buffers a few megabytes for a reader.
  while (count < 3000) {
    events.take(toolCall('a', big))
    count += 1
    if (count % 100 === 0) await new Promise(setImmediate)
  }
  events.take({ kind: 'node_started', node: 'n1' })
  expect(await nextLine(reader)).toMatchObject({ event_type: 'gateway.started' })
  socket.resume()
  socket.on('error', () => {})
  await closed
  expect(socket.bytesRead).toBeLessThan(count * big.length)
})

test('an address that is taken is LISTEN_FAILED', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const { port } = taken.address() as import('node:net').AddressInfo
  const other = createAdmin(optionsWith({ port }))
  await expect(other.listen()).rejects.toMatchObject({ code: 'LISTEN_FAILED' })
  await other.close()
  taken.close()
})

test.each([1, 2])('a port that is closed %i turns after it was asked to listen does not stay open', async (turns) => {
  // A name is looked up, which takes turns.
  const other = createAdmin(optionsWith({ host: 'localhost' }))
  const listening = other.listen().catch(() => undefined)
  // oxlint-disable-next-line no-await-in-loop -- one turn after the other
  for (let count = 0; count < turns; count += 1) await turn()
  await other.close()
  const opened = await listening
  expect(await (opened && fetch(`${opened.url}/livez`).catch(() => undefined))).toBeUndefined()
})

test('closing does not wait for a silent connection', async () => {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  await once(socket, 'connect')
  const closed = once(socket, 'close')
  await admin.close()
  await closed
  expect(socket.destroyed).toBe(true)
})

/** Opens connections to the admin port, all of which are closed after the test. */
async function connected(count: number): Promise<readonly Socket[]> {
  const port = Number(new URL(url).port)
  const sockets = Array.from({ length: count }, () => connect(port, '127.0.0.1').on('error', () => {}))
  onTestFinished(() => sockets.forEach((socket) => socket.destroy()))
  await Promise.all(sockets.map((socket) => once(socket, 'connect')))
  return sockets
}

test.each([
  ['silent', ''],
  ['idle after an answer', 'GET /livez HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n'],
])('a probe is answered when others keep all connections open: %s', async (_, sent) => {
  const sockets = await connected(200)
  if (sent !== '') await Promise.all(sockets.map((socket) => (socket.write(sent), once(socket, 'data'))))
  const closed = Promise.race(sockets.map((socket) => once(socket.resume(), 'close')))
  expect((await get('/livez')).status).toBe(200)
  await closed
  expect(sockets.filter(({ destroyed }) => destroyed)).toHaveLength(1)
})

test('a connection with a request keeps its place', async () => {
  const follow = await get('/events?follow=true', withToken)
  await connected(250)
  expect((await get('/livez')).status).toBe(200)
  events.take({ kind: 'node_started', node: 'n1' })
  expect(await nextLine(lines(follow))).toMatchObject({ event_type: 'gateway.started' })
})
