import { once } from 'node:events'
import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { silentLog } from '@junctor/contracts'
import { createSampleFront, eventually, testCredentials } from '@junctor/testkit'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { serve, type Served } from '../../test/front-fixture.ts'
import { closeCodes } from '../close-codes.ts'
import { createWebSocketFront } from './web-socket-front.ts'

function call(id: number | string, method: string): object {
  return { jsonrpc: '2.0', id, method }
}

function result(id: number | string, method: string): string {
  return JSON.stringify({ jsonrpc: '2.0', id, result: { method } })
}

/** An upgrade request that is answered by HTTP. */
async function refused(
  { port }: Served,
  path: string,
  headers: Readonly<Record<string, string | undefined>>,
): Promise<{ status: number; headers: IncomingHttpHeaders; body: unknown }> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const sent = httpRequest({ port, host: '127.0.0.1', path, agent: false })
  const usual = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
    'sec-websocket-protocol': 'mcp',
    authorization: 'Bearer good',
  }
  for (const [name, value] of Object.entries({ ...usual, ...headers })) {
    if (value !== undefined && value !== '') sent.setHeader(name, value)
  }
  sent.on('upgrade', (_, socket) => {
    socket.destroy()
    reject(new Error('Expected a refusal, got a WebSocket'))
  })
  sent.on('response', resolve).on('error', reject).end()
  const response = await promise
  let text = ''
  for await (const chunk of response.setEncoding('utf8')) text += String(chunk)
  return { status: response.statusCode ?? 0, headers: response.headers, body: text === '' ? '' : JSON.parse(text) }
}

function error(code: number, message = /./): object {
  const messagePattern: unknown = expect.stringMatching(message)
  return { jsonrpc: '2.0', id: null, error: expect.objectContaining({ code, message: messagePattern }) }
}

describe('admission', () => {
  test('a client that offers `mcp`, at the plain path and at a tenant', async () => {
    const served = await serve()
    const plain = await served.connect({ protocols: ['other', 'mcp'] })
    const tenant = await served.connect({ path: '/mcp/acme?x=1' })
    expect([plain.socket.protocol, tenant.socket.protocol]).toEqual(['mcp', 'mcp'])
    expect(served.front.heads.map(({ transport, tenant: name, loopback }) => [transport, name, loopback])).toEqual([
      ['websocket', undefined, true],
      ['websocket', 'acme', true],
    ])
  })

  test('a client that offers no subprotocol, as the one of LangChain4j', async () => {
    const served = await serve()
    const { socket } = await served.connect({ protocols: [] })
    socket.send(JSON.stringify(call(0, 'initialize')))
    const [data] = (await once(socket, 'message')) as [Buffer]
    expect([socket.protocol, data.toString()]).toEqual(['', result(0, 'initialize')])
  })

  test('a client of a server with a certificate', async () => {
    const front = createSampleFront()
    const http = createHttpsServer(testCredentials)
    const server = createWebSocketFront({ front, server: http, listen: {}, log: silentLog })
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => new Promise<void>((resolve) => void http.close(() => resolve())))
    const { port } = http.address() as AddressInfo
    const socket = new WebSocket(`wss://127.0.0.1:${port}/mcp`, 'mcp', {
      ca: testCredentials.cert,
      headers: { authorization: 'Bearer good' },
    })
    await once(socket, 'open')
    socket.send(JSON.stringify(call(0, 'initialize')))
    const [data] = (await once(socket, 'message')) as [Buffer]
    expect(data.toString()).toBe(result(0, 'initialize'))
    await server.close()
    expect(front.ended).toEqual(['shutdown'])
  })

  test('there is no compression', async () => {
    const served = await serve()
    expect((await served.connect()).socket.extensions).toBe('')
  })

  test.each([
    ['another subprotocol', '/mcp', { 'sec-websocket-protocol': 'graphql-ws' }, 400, error(-32600, /graphql-ws/)],
    ['a foreign origin', '/mcp', { origin: 'https://evil.example' }, 403, error(-32000, /evil/)],
    ['a foreign host', '/mcp', { host: 'evil.example' }, 403, error(-32000, /evil/)],
    [
      'a foreign origin without credentials',
      '/mcp',
      { origin: 'https://evil.example', authorization: '' },
      403,
      error(-32000),
    ],
    ['no credentials', '/mcp', { authorization: '' }, 401, error(-32000)],
    ['a token in the query', '/mcp?access_token=good&token=good', { authorization: '' }, 401, error(-32000)],
    ['an unknown tenant', '/mcp/nobody', {}, 404, error(-32000)],
    ['a version of WebSocket from before its standard', '/mcp', { 'sec-websocket-version': '8' }, 426, error(-32600)],
    ['a broken key', '/mcp', { 'sec-websocket-key': 'short' }, 400, error(-32600)],
    ['an authenticator that breaks', '/mcp', { authorization: 'Bearer broken' }, 500, error(-32603)],
  ])('not %s', async (_, path, headers, status, body) => {
    const served = await serve()
    const answer = await refused(served, path, headers)
    expect(answer).toMatchObject({ status, body, headers: { 'content-type': 'application/json', connection: 'close' } })
    await eventually(() => expect(served.sockets.size).toBe(0))
  })

  test('a client that is refused for lack of credentials gets the challenge', async () => {
    const answer = await refused(await serve(), '/mcp', { authorization: '' })
    expect(answer.headers['www-authenticate']).toBe('Bearer realm="junctor"')
  })

  test('a client whose credentials are being checked is refused when the server closes, which does not wait for the check', async () => {
    const served = await serve()
    const checking = Promise.withResolvers<void>()
    vi.spyOn(served.front, 'authenticate').mockImplementation(() => {
      checking.resolve()
      return new Promise(() => {})
    })
    const answer = refused(served, '/mcp', {})
    await checking.promise
    await served.server.close(10_000)
    expect(await answer).toMatchObject({ status: 503, headers: { 'retry-after': '1' } })
    await eventually(() => expect(served.sockets.size).toBe(0))
  })

  test('an origin on the list', async () => {
    const served = await serve({ listen: { allowedOrigins: ['https://app.example'] } })
    await served.connect({ headers: { origin: 'https://app.example' } })
    const answer = await refused(served, '/mcp', { origin: 'http://localhost' })
    expect(answer.status).toBe(403)
  })

  test.each([
    ['another path', '/other', {}],
    ['a deeper path', '/mcp/acme/session', {}],
    ['another protocol', '/mcp', { upgrade: 'h2c' }],
  ])('%s is left to the HTTP server', async (_, path, headers) => {
    expect((await refused(await serve(), path, headers)).status).toBe(418)
  })
})

describe('a connection', () => {
  test('answers requests, a frame for each, and opens the stream of its session once', async () => {
    const { open } = await serve()
    const { send, texts } = await open()
    send(call(1, 'echo'), call('1', 'echo'), call('', 'stream'))
    await eventually(() => expect(texts).toHaveLength(4))
    expect(texts).toEqual([
      result(1, 'echo'),
      result('1', 'echo'),
      '{"jsonrpc":"2.0","method":"progress"}',
      result('', 'stream'),
    ])
  })

  test('carries messages outside requests, and forwards notifications and responses', async () => {
    const { open, front } = await serve()
    const { send, texts } = await open()
    void front.streams[0]?.send('{"jsonrpc":"2.0","method":"changed"}', false)
    send({ jsonrpc: '2.0', method: 'no/such' }, { jsonrpc: '2.0', id: 1, result: {} }, call(1, 'echo'))
    await eventually(() => expect(texts).toEqual(['{"jsonrpc":"2.0","method":"changed"}', result(1, 'echo')]))
    expect(front.taken.map(({ kind }) => kind)).toEqual(['notification', 'result'])
  })

  test('buffers messages until its session is open', async () => {
    const { connect } = await serve()
    const { send, texts } = await connect()
    send(call(0, 'initialize'), call(1, 'echo'))
    await eventually(() => expect(texts).toHaveLength(3))
    expect(texts[2]).toBe(result(1, 'echo'))
  })

  test('needs no handshake where the dialect has none', async () => {
    const { connect, front } = await serve()
    const { send, texts, socket } = await connect()
    send({ jsonrpc: '3.0', id: 1, method: 'wait' }, { jsonrpc: '3.0', id: 2, method: 'echo' })
    await eventually(() => expect(texts).toHaveLength(2))
    expect(texts).toContain('{"jsonrpc":"2.0","method":"opened"}')
    front.release()
    await eventually(() => expect(texts).toHaveLength(3))
    expect(front.streams).toHaveLength(1)
    socket.close()
    await eventually(() => expect(front.ended).toEqual(['disconnected']))
  })

  test('has its own session', async () => {
    const { open, front } = await serve()
    const [one, other] = [await open(), await open()]
    one.socket.close()
    await eventually(() => expect(front.ended).toEqual(['disconnected']))
    other.send(call(1, 'echo'))
    await eventually(() => expect(other.texts).toEqual([result(1, 'echo')]))
    expect(one.texts).toEqual([])
  })

  test('accepts a batch where its revision has them, and answers with one', async () => {
    const { open } = await serve()
    const batch = [call(1, 'echo'), call(2, 'cancelled'), call(3, 'echo'), { nonsense: true }]
    const old = await open('2025-03-26')
    old.send(batch)
    await eventually(() => expect(old.texts).toHaveLength(1))
    const answers = JSON.parse(old.texts[0] ?? '') as { id?: number }[]
    expect(answers.map(({ id }) => id).filter((id) => typeof id === 'number')).toEqual([1, 3])
    const now = await open('2025-11-25')
    now.send(batch)
    await eventually(() => expect(now.texts).toHaveLength(1))
    expect(now.texts[0]).toMatch(/-32600.*2025-11-25/)
  })

  test('continues after input that is not a message', async () => {
    const { open } = await serve()
    const { send, texts } = await open()
    send('{', '', '1', call(1, 'echo'))
    await eventually(() => expect(texts).toHaveLength(4))
    expect(texts.map((text) => (JSON.parse(text) as { error?: { code: number } }).error?.code)).toEqual([
      -32700,
      -32700,
      -32600,
      undefined,
    ])
  })

  test('sends the answers of one turn in one write', async () => {
    const { open, sockets } = await serve()
    const { send, socket, texts } = await open()
    const wire = [...sockets][0]
    if (wire === undefined) throw new Error('Expected a socket')
    const sizes: number[] = []
    const uncork = wire.uncork.bind(wire)
    wire.uncork = () => {
      if (wire.writableCorked === 1) sizes.push(wire.writableLength)
      uncork()
    }
    // One write of the client, so that the messages are read in one turn.
    const raw = (socket as unknown as { _socket: { cork(): void; uncork(): void } })['_socket']
    raw.cork()
    send(call(1, 'echo'), call(2, 'echo'), call(3, 'echo'))
    raw.uncork()
    await eventually(() => expect(texts).toHaveLength(3))
    expect(sizes.filter((size) => size > 0)).toHaveLength(1)
  })
})

describe('the end of a connection', () => {
  test('by the client: its session ends, and its requests in flight lose their client', async () => {
    const { open, front } = await serve()
    const client = await open()
    client.send(call(1, 'wait'))
    client.socket.close(1000)
    expect(await client.closed).toMatchObject({ code: 1000 })
    await eventually(() => expect(front.ended).toEqual(['disconnected']))
    expect(front.lost).toEqual(['wait'])
  })

  test('1000: its session has ended', async () => {
    const { open, front } = await serve()
    const client = await open()
    void front.streams[0]?.send('', true)
    expect(await client.closed).toEqual({ code: 1000, text: closeCodes.done.text })
  })

  test('1001: the server closes, when requests in flight are answered; their questions are answered, too', async () => {
    const served = await serve()
    const client = await served.open()
    client.send(call(1, 'wait'), call(2, 'echo'))
    await eventually(() => expect(client.texts).toHaveLength(1))
    const closing = served.server.close(10_000)
    expect(await refused(served, '/mcp', {})).toMatchObject({ status: 503, headers: { 'retry-after': '1' } })
    client.send(call(3, 'late'), { jsonrpc: '2.0', id: 7, result: {} })
    await eventually(() => expect(served.front.taken).toMatchObject([{ id: '7' }]))
    served.front.release()
    expect(await client.closed).toEqual({ code: 1001, text: closeCodes.going_away.text })
    expect(client.texts).toEqual([result(2, 'echo'), result(1, 'wait')])
    await closing
    expect([served.front.ended, served.sockets.size]).toEqual([['shutdown'], 0])
    expect((await refused(served, '/mcp', {})).status).toBe(418)
  })

  test('1001: requests that are not answered in time are lost', async () => {
    const { open, front, server } = await serve()
    const client = await open()
    client.send(call(1, 'wait'), call(2, 'echo'))
    await eventually(() => expect(client.texts).toHaveLength(1))
    await server.close(20)
    expect(await client.closed).toMatchObject({ code: 1001 })
    expect(front.lost).toEqual(['wait'])
  })

  test('1003: a binary frame', async () => {
    const { open, front } = await serve()
    const client = await open()
    client.socket.send(Buffer.from('{"jsonrpc":"2.0","id":1,"method":"echo"}'))
    expect(await client.closed).toEqual({ code: 1003, text: closeCodes.binary.text })
    await eventually(() => expect(front.ended).toEqual(['disconnected']))
    expect(client.texts).toEqual([])
  })

  test('1007: text that is not UTF-8', async () => {
    const { open } = await serve()
    const client = await open()
    client.socket.send(Buffer.from([0xff]), { binary: false })
    expect(await client.closed).toMatchObject({ code: 1007 })
  })

  test('1008: its credentials have expired, after pending answers', async () => {
    const { open, front } = await serve()
    front.expires = Date.now() + 300
    const client = await open()
    client.send(call(1, 'wait'))
    // Longer than the longest timer.
    front.expires = Date.now() + 2 ** 33
    const other = await open()
    await new Promise((resolve) => setTimeout(resolve, 310))
    client.send(call(2, 'echo'))
    front.release()
    expect(await client.closed).toEqual({ code: 1008, text: closeCodes.expired.text })
    expect(client.texts).toEqual([result(1, 'wait')])
    other.send(call(1, 'echo'))
    await eventually(() => expect(other.texts).toEqual([result(1, 'echo')]))
  })

  test('1009: a message that is too large, in one frame or in many', async () => {
    const { open } = await serve({ limits: { body: 1000 } })
    const whole = await open()
    whole.send('x'.repeat(1001))
    expect(await whole.closed).toMatchObject({ code: 1009 })
    const pieces = await open()
    for (let count = 0; count < 11; count += 1) pieces.socket.send('x'.repeat(100), { fin: false })
    expect(await pieces.closed).toMatchObject({ code: 1009 })
  })

  test('1011: an exception', async () => {
    const { open, front } = await serve()
    const client = await open()
    client.send(call(1, 'throw'))
    expect(await client.closed).toEqual({ code: 1011, text: closeCodes.failed.text })
    expect(front.ended).toEqual(['session_ended'])
  })

  test('1013: a reader that leaves too much unread', async () => {
    const { open, front } = await serve({ limits: { buffered: 100_000, closeMs: 5_000 } })
    const client = await open()
    client.socket.pause()
    const event = `{"jsonrpc":"2.0","method":"x","params":{"text":"${'x'.repeat(60_000)}"}}`
    const [stream] = front.streams
    // More than any system buffers.
    for (let count = 0; count < 300; count += 1) void stream?.send(event, false)
    client.socket.resume()
    expect(await client.closed).toEqual({ code: 1013, text: closeCodes.too_slow.text })
    await eventually(() => expect(front.ended).toEqual(['disconnected']))
  })

  test('a slow reader is waited for, and not read from', async () => {
    const { open } = await serve({ limits: { buffered: 1_000_000 } })
    const client = await open()
    client.socket.pause()
    const count = 200
    for (let id = 0; id < count; id += 1) client.send(call(id, 'large'))
    await new Promise((resolve) => setTimeout(resolve, 200))
    client.socket.resume()
    await eventually(() => expect(client.texts).toHaveLength(count))
  })

  test('a client that has vanished is closed because of its silence', async () => {
    const { open, front, sockets } = await serve({ limits: { streamKeepAliveMs: 20, stalledMs: 1_000 } })
    const alive = await open()
    const client = await open()
    // It reads nothing, so it answers no ping.
    client.socket.pause()
    await eventually(() => expect(front.ended).toEqual(['disconnected']))
    await eventually(() => expect(sockets.size).toBe(1))
    alive.send(call(1, 'echo'))
    await eventually(() => expect(alive.texts).toEqual([result(1, 'echo')]))
  })

  test('a client that does not answer a close is cut off', async () => {
    const { open, server, sockets } = await serve({ limits: { closeMs: 50 } })
    const client = await open()
    client.socket.pause()
    await server.close(0)
    expect(sockets.size).toBe(0)
  })
})
