import type { IncomingMessage } from 'node:http'
import type { ErrorReporter } from '@junctor/contracts'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { startFront } from '../../../test/front-fixture.ts'
import { type Answer, type Call, callOf, send, start } from '../../../test/http-fixture.ts'
import { eventually } from '@junctor/testkit'

/** A client's stream: its events, and the address to post to. */
interface Stream {
  readonly response: IncomingMessage
  /** The events after the first one. */
  text(): string
  readonly endpoint: string
  post(body: string, more?: Call): Promise<Answer>
}

const initialize = callOf('initialize', { protocolVersion: '2024-11-05' }, 0)

async function connect(port: number, path = '/sse', headers: Call['headers'] = {}): Promise<Stream> {
  const own = { accept: 'text/event-stream', 'content-type': undefined, ...headers }
  const response = await start(port, { method: 'GET', path, headers: own })
  onTestFinished(() => void response.destroy())
  let text = ''
  response.setEncoding('utf8').on('data', (piece: string) => (text += piece))
  response.on('error', () => {})
  await eventually(() => expect(text.includes('\n\n')).toBe(true))
  const [, first = '', endpoint = ''] = /^(event: endpoint\ndata: (.*)\n\n)/.exec(text) ?? []
  const post = (body: string, more: Call = {}): Promise<Answer> =>
    send(port, { path: endpoint, body, headers: { accept: undefined, ...headers }, ...more })
  return { response, text: () => text.slice(first.length), endpoint, post }
}

const accepted = { status: 202, text: '' }

describe('an internal error', () => {
  const broken = new Error('broken')

  test('in releasing its address is reported', async () => {
    const { gateway, front, port } = await startFront()
    const reportError = vi.fn<ErrorReporter>()
    const open = gateway.messageEndpoints.open.bind(gateway.messageEndpoints)
    const breaks = (): never => {
      throw broken
    }
    Object.assign(gateway, { reportError })
    Object.assign(gateway.messageEndpoints, {
      open: (...args: Parameters<typeof open>) => ({ ...open(...args), close: breaks }),
    })
    const client = await connect(port)
    client.response.destroy()
    await eventually(() => expect(reportError.mock.calls.length > 0).toBe(true))
    expect(reportError.mock.calls).toEqual([['connection', broken, { transport: 'http' }]])
    await front.close(0)
  })

  test.each([
    ['a post cannot be forwarded', 200],
    ['a body that is too large cannot be refused', 1],
  ])('is answered when %s', async (_what, body) => {
    const { gateway, port } = await startFront({ limits: { body } })
    const reportError = vi.fn<ErrorReporter>()
    Object.assign(gateway, { reportError })
    const refuse = gateway.refuse.bind(gateway)
    gateway.refuse = (situation, ...rest) => {
      if (situation === 'too_large') throw broken
      return refuse(situation, ...rest)
    }
    const client = await connect(port)
    Object.assign(gateway.messageEndpoints, { post: () => Promise.reject(broken) })
    const headers = { accept: undefined, 'transfer-encoding': 'chunked' }
    const sent = JSON.stringify({ jsonrpc: '3.0', id: 1, method: 'echo' })
    expect(await client.post(sent, { headers })).toMatchObject({ status: 500 })
    expect(reportError.mock.calls).toEqual([['request', broken, { transport: 'http' }]])
  })
})

describe('a stream', () => {
  test('begins with the address to post to, which cannot be guessed', async () => {
    const { port } = await startFront()
    const [one, other] = [await connect(port), await connect(port, '/sse/acme')]
    expect(one.response.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
    })
    expect(one.endpoint).toMatch(/^\/sse\?session_id=[\w-]{43}$/)
    expect(other.endpoint).toMatch(/^\/sse\/acme\?session_id=[\w-]{43}$/)
    expect(one.endpoint.slice(-43)).not.toBe(other.endpoint.slice(-43))
  })

  test('carries the answers to posts, which are only accepted', async () => {
    const { port } = await startFront()
    const client = await connect(port)
    expect(await client.post(callOf('echo', { a: 1 }, 'x'))).toMatchObject(accepted)
    await eventually(() => expect(client.text() !== '').toBe(true))
    expect(client.text()).toBe('event: message\ndata: {"jsonrpc":"2.0","id":"x","result":{"a":1}}\n\n')
  })

  test('carries the session’s own messages once it is open', async () => {
    const { gateway, port } = await startFront()
    const client = await connect(port)
    expect(await client.post(initialize)).toMatchObject(accepted)
    const { message, from, sink } = await gateway.round()
    expect(message.method).toBe('resume')
    expect(from.session?.revision).toBe('2024-11-05')
    void sink.send('{"own":1}', false)
    await eventually(() => expect(client.text().endsWith('event: message\ndata: {"own":1}\n\n')).toBe(true))
  })

  test('carries the errors for unreadable posts', async () => {
    const { port } = await startFront()
    const client = await connect(port)
    expect(await client.post('{')).toMatchObject(accepted)
    expect(await client.post('[]')).toMatchObject(accepted)
    await eventually(() => expect(client.text().split('event: message').length === 3).toBe(true))
    expect(client.text()).toContain('"code":-32700')
    expect(client.text()).toContain('"code":-32600')
  })

  test('waits for a reader that has several long answers to read', async () => {
    const { gateway, port } = await startFront({ limits: { streamBuffer: 8 * 1024 * 1024 } })
    const client = await connect(port)
    await client.post(initialize)
    const { sink, ownerCalls } = await gateway.round()
    client.response.pause()
    const long = JSON.stringify('x'.repeat(8 * 1024 * 1024))
    for (let answers = 0; answers < 4; answers += 1) void sink.send(long, false)
    client.response.resume()
    await eventually(() => expect(client.text().length).toBeGreaterThan(4 * long.length))
    expect(ownerCalls).toEqual([])
  })

  test('gets comments while it is silent', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const { port } = await startFront({ limits: { streamKeepAliveMs: 1_000 } })
    const connecting = connect(port)
    const client = await connecting
    vi.advanceTimersByTime(3_000)
    vi.useRealTimers()
    await eventually(() => expect(client.text() !== '').toBe(true))
    expect(client.text()).toMatch(/^(: keepalive\n\n)+$/)
  })
})

describe('the end of', () => {
  test('a stream ends its session, and its requests', async () => {
    const { gateway, port } = await startFront()
    const client = await connect(port)
    await client.post(initialize)
    const own = await gateway.round()
    await client.post(callOf('wait'))
    const call = await gateway.round()
    client.response.destroy()
    await eventually(() => expect(gateway.sessions.size === 0 && call.ownerCalls.length > 0).toBe(true))
    expect([call.ownerCalls, own.ownerCalls]).toEqual([['lost'], ['lost']])
    expect((await client.post(callOf('echo'))).status).toBe(404)
  })

  test('a stream ends a session that was still being opened', async () => {
    const { gateway, port } = await startFront()
    const receive = gateway.receive.bind(gateway)
    let open = (): void => {}
    gateway.receive = (...received) => void (open = () => void receive(...received))
    const client = await connect(port)
    await client.post(initialize)
    expect(await client.post(callOf('echo'))).toMatchObject({ status: 503 })
    const ended = vi.spyOn(gateway, 'end')
    client.response.destroy()
    await eventually(async () => expect((await client.post(callOf('echo'))).status).toBe(404))
    expect(ended).not.toHaveBeenCalled()
    open()
    expect(ended).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ revision: '2024-11-05' }), 'disconnected')
    expect(gateway.sessions.size).toBe(0)
  })

  test('a session ends its stream', async () => {
    const { gateway, port } = await startFront()
    const client = await connect(port)
    await client.post(initialize)
    const { sink } = await gateway.round()
    void sink.send('', true)
    await eventually(() => expect(client.response.readableEnded).toBe(true))
    expect((await client.post(callOf('echo'))).status).toBe(404)
  })

  test('the credentials ends the stream', async () => {
    const { gateway, port } = await startFront()
    const clock = vi.spyOn(Date, 'now').mockReturnValue(1_000)
    onTestFinished(() => clock.mockRestore())
    gateway.expires = 2_000
    const client = await connect(port)
    await client.post(initialize)
    const { sink } = await gateway.round()
    clock.mockReturnValue(2_000)
    void sink.send('{"secret":1}', false)
    await eventually(() => expect(client.response.readableEnded).toBe(true))
    expect(client.text()).not.toContain('secret')
    await eventually(() => expect(gateway.sessions.size === 0).toBe(true))
  })

  test('the credentials ends a silent stream, too', async () => {
    const { gateway, port } = await startFront()
    gateway.expires = Date.now() + 100
    const client = await connect(port)
    await eventually(() => expect(client.response.readableEnded).toBe(true))
    expect(Date.now()).toBeGreaterThan(gateway.expires - 10)
  })

  test('the server waits for pending answers, and takes the answers of clients to their questions', async () => {
    const { gateway, front, port } = await startFront()
    const opened = vi.spyOn(gateway.messageEndpoints, 'open')
    const client = await connect(port)
    const [, take] = opened.mock.calls[0] ?? []
    const idle = await connect(port)
    await client.post(initialize)
    await gateway.round()
    await client.post(callOf('wait', {}, 7))
    const { sink } = await gateway.round()
    const closed = front.close(10_000)
    await eventually(() => expect(idle.response.readableEnded).toBe(true))
    expect(client.response.readableEnded).toBe(false)
    // The request may have asked its client.
    const post = (body: string) => take?.(Buffer.from(body))
    expect(post(callOf('late'))).toBe('unknown')
    expect(post('{"jsonrpc":"2.0","id":3,"result":{}}')).toBe('taken')
    expect(gateway.received.at(-1)).toMatchObject({ kind: 'result', id: '3' })
    expect(gateway.received).not.toContainEqual(expect.objectContaining({ method: 'late' }))
    void sink.send('{"id":7}', true)
    await closed
    expect(client.text()).toContain('data: {"id":7}\n\n')
    expect(gateway.sessions.size).toBe(0)
  })

  test('the server waits no longer than the grace period', async () => {
    const { gateway, front, port } = await startFront()
    const client = await connect(port)
    await client.post(initialize)
    await gateway.round()
    await client.post(callOf('wait'))
    const { ownerCalls } = await gateway.round()
    await front.close(0)
    expect(ownerCalls).toEqual(['lost'])
    expect(gateway.sessions.size).toBe(0)
  })
})

describe('a message is refused', () => {
  test.each<[string, Call, number, string]>([
    ['of another caller', { headers: { authorization: 'Bearer mallory' } }, 404, 'session_unknown'],
    ['of a refused caller', { headers: { authorization: 'Bearer nobody' } }, 401, 'Authentication'],
    // The clients that try a POST first look for a stream only after this status: mcp-remote does so.
    ['without a key', { path: '/sse', body: initialize }, 405, 'open the stream with GET'],
    ['with a key that there is not', { path: '/sse?session_id=x' }, 404, 'session_unknown'],
    ['that is not JSON', { headers: { 'content-type': 'text/plain' } }, 415, 'Content-Type'],
    ['that is too large', { body: callOf('echo', { x: 'x'.repeat(10_000) }) }, 413, 'at most 1000 bytes'],
    ['from a page of others', { headers: { origin: 'https://evil.example.com' } }, 403, 'Origin'],
  ])('%s', async (_name, bad, status, words) => {
    const { gateway, port } = await startFront({ limits: { body: 1_000 } })
    const client = await connect(port)
    const answer = await client.post(callOf('echo'), bad)
    expect(answer).toMatchObject({ status, text: expect.stringContaining(words) })
    expect(gateway.received).toEqual([])
  })

  test('at another tenant than its stream', async () => {
    const { port } = await startFront()
    const client = await connect(port, '/sse/acme')
    const path = client.endpoint.replace('/acme', '')
    expect((await client.post(callOf('echo'), { path })).status).toBe(404)
  })
})

describe('a stream is refused', () => {
  test.each<[string, Call, number]>([
    ['to a refused caller', { headers: { authorization: 'Bearer nobody' } }, 401],
    ['at an unknown tenant', { path: '/sse/nobody' }, 404],
    ['at a tenant whose profile has its own streams', { path: '/sse/queue' }, 404],
    ['to a client that does not take events', { headers: { accept: 'application/x-ndjson' } }, 406],
    ['to a page of others', { headers: { origin: 'https://evil.example.com' } }, 403],
    ['by another HTTP method', { method: 'DELETE' }, 405],
  ])('%s', async (_name, call, status) => {
    const { port } = await startFront()
    const answer = await send(port, { method: 'GET', path: '/sse', ...call })
    expect(answer.status).toBe(status)
    expect(answer.headers.allow).toBe(status === 405 ? 'GET, POST, OPTIONS' : undefined)
  })
})
