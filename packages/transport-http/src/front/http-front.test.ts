import { execFile } from 'node:child_process'
import { Agent } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { once } from 'node:events'
import dns, { type LookupOptions } from 'node:dns'
import { connect } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { fileURLToPath } from 'node:url'
import { setImmediate } from 'node:timers/promises'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { type Session, silentLog } from '@junctor/contracts'
import { startFront } from '../../test/front-fixture.ts'
import { createFixtureGateway } from '../../test/gateway-fixture.ts'
import { callOf, readAll, send, start } from '../../test/http-fixture.ts'
import { createHttpFront } from './http-front.ts'
import { eventually, testCredentials } from '@junctor/testkit'

describe('listening', () => {
  test('returns the URL of the endpoint', async () => {
    const { gateway, port, url } = await startFront()
    expect(url).toBe(`http://127.0.0.1:${port}/mcp`)
    const headers = {
      'content-type': 'application/json',
      accept: '*/*',
      'mcp-session-id': gateway.open('2025-11-25').id,
    }
    const answer = await fetch(url, { method: 'POST', headers, body: callOf('echo', { a: 1 }) })
    expect(await answer.json()).toEqual({ jsonrpc: '2.0', id: 1, result: { a: 1 } })
  })

  test('returns a URL that can be opened when it listens on all addresses', async () => {
    const { url, port } = await startFront({ listen: { host: '0.0.0.0' } })
    expect(url).toBe(`http://127.0.0.1:${port}/mcp`)
  })

  test('on a port in use is a local error', async () => {
    const { port } = await startFront()
    const listen = { host: '127.0.0.1', port }
    const other = createHttpFront({ front: createFixtureGateway(), listen, log: silentLog })
    onTestFinished(() => other.close(0))
    await expect(other.listen()).rejects.toMatchObject({
      code: 'LISTEN_FAILED',
      message: expect.stringContaining(String(port)),
    })
  })

  test('for invalid hosts is a local error', () => {
    const listen = { host: '127.0.0.1', port: 0, allowedHosts: ['*'] }
    expect(() => createHttpFront({ front: createFixtureGateway(), listen, log: silentLog })).toThrow(
      expect.objectContaining({ code: 'CONFIG_INVALID' }),
    )
  })

  test('with a certificate speaks TLS', async () => {
    const { gateway, port, url } = await startFront({ listen: { tls: testCredentials } })
    expect(url).toBe(`https://127.0.0.1:${port}/mcp`)
    const headers = {
      'content-type': 'application/json',
      accept: '*/*',
      'mcp-session-id': gateway.open('2025-11-25').id,
    }
    const request = httpsRequest(url, { method: 'POST', headers, agent: false, ca: testCredentials.cert })
    request.end(callOf('wait'))
    const { sink, ownerCalls } = await gateway.round()
    void sink.send('{}', false)
    await once(request, 'response')
    request.destroy()
    await eventually(() => expect(ownerCalls.includes('lost')).toBe(true))
    expect(ownerCalls).toEqual(['lost'])
  })
})

test('closing does not wait for TLS connections without a request, nor for unfinished handshakes', async () => {
  const { front, port } = await startFront({ listen: { tls: testCredentials } })
  const idle = connectTls({ port, host: '127.0.0.1', ca: testCredentials.cert })
  const unfinished = connect(port, '127.0.0.1')
  // The first bytes of a handshake. The server has taken them when another connection was opened and used.
  unfinished.write(Buffer.from([22, 3, 1]))
  const gone = Promise.all([idle, unfinished].map((socket) => once(socket.resume(), 'close')))
  await once(idle, 'secureConnect')
  await front.close(60_000)
  expect(await gone).toHaveLength(2)
})

test('listening on localhost serves the endpoint at every address that it listens on', async () => {
  const both = [
    { address: '127.0.0.1', family: 4 },
    { address: '::1', family: 6 },
  ]
  type Answer = (error: null, ...found: unknown[]) => void
  const lookup = (host: string, { all }: LookupOptions, answer: Answer): void => {
    const found = both.filter(({ address }) => host === 'localhost' || host === address)
    process.nextTick(() => (all === true ? answer(null, found) : answer(null, found[0]?.address, found[0]?.family)))
  }
  const spied = vi.spyOn(dns, 'lookup').mockImplementation(lookup as typeof dns.lookup)
  onTestFinished(() => spied.mockRestore())
  const { front, port } = await startFront({ listen: { host: 'localhost' } })
  expect(front.app.addresses()).toMatchObject([{ address: '127.0.0.1', port }])
})

/** The bytes of a call up to the headers of its body. */
const head = 'POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\naccept: */*\r\n'

/** The remaining bytes of a call. */
function rest(session: Session, body: string): string {
  return `mcp-session-id: ${session.id}\r\ncontent-length: ${body.length}\r\n\r\n${body}`
}

test('an idle connection is closed after its timeout', async () => {
  const { gateway, port } = await startFront({ limits: { keepAliveTimeoutMs: 10 } })
  const socket = connect(port, '127.0.0.1').setEncoding('utf8')
  socket.write(head + rest(gateway.open('2025-11-25'), callOf('echo')))
  let text = ''
  for await (const chunk of socket) text += String(chunk)
  expect(text).toMatch(/^HTTP\/1.1 200 OK\r\n(?:.*\r\n)*connection: keep-alive\r\n/i)
})

describe('closing', () => {
  test('ends endless streams, and asks their readers to reconnect', async () => {
    const { gateway, front, port } = await startFront()
    const session = gateway.open('2025-11-25')
    const response = start(port, { method: 'GET', session })
    const { sink, ownerCalls } = await gateway.round()
    sink.open('s:0')
    const text = readAll(await response)
    await front.close(60_000)
    expect(await text).toBe('id: s:0\nretry: 1000\ndata: \n\nretry: 1000\n\n')
    expect(ownerCalls).toEqual(['lost'])
  })

  test('ends an endless stream at once that begins meanwhile, after what is kept for it', async () => {
    const { gateway, front, port } = await startFront()
    const session = gateway.open('2025-11-25')
    const pending = start(port, { session, body: callOf('wait') })
    const answered = await gateway.round()
    const socket = connect(port, '127.0.0.1').setEncoding('utf8')
    const accepted = once(front.app.server, 'connection')
    socket.write('GET /mcp HTTP/1.1\r\nhost: localhost\r\naccept: text/event-stream\r\n')
    await accepted
    const closed = front.close(60_000)
    socket.write(`mcp-session-id: ${session.id}\r\n\r\n`)
    const { sink, ownerCalls } = await gateway.round()
    sink.open('s:0')
    void sink.send('{"a":1}', false, 's:1')
    let text = ''
    socket.on('data', (piece: string) => (text += piece))
    await once(socket, 'close')
    expect(text).toContain('data: {"a":1}')
    expect(text).toContain('\n\nretry: 1000\n\n')
    expect(ownerCalls).toEqual(['lost'])
    void answered.sink.send('{"id":1}', true)
    await Promise.all([closed, pending])
  })

  test('answers clients whose connections wait to be accepted', async () => {
    const { gateway, front, port } = await startFront()
    const session = gateway.open('2025-11-25')
    const answers = Promise.all(Array.from({ length: 20 }, () => send(port, { session, body: callOf('echo') })))
    // They have connected now, and Node accepts one connection in each turn.
    await setImmediate()
    await front.close(60_000)
    expect((await answers).map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200))
  })

  test('waits for pending answers, and keeps no connection afterwards', async () => {
    const { gateway, front, port } = await startFront()
    const session = gateway.open('2025-11-25')
    const agent = new Agent({ keepAlive: true })
    onTestFinished(() => agent.destroy())
    const one = start(port, { session, body: callOf('wait', {}, 1), agent })
    const whole = await gateway.round()
    const other = start(port, { session, body: callOf('wait', {}, 2), agent })
    const streamed = await gateway.round()
    streamed.sink.open()
    const stream = readAll(await other)
    const closed = front.close(60_000)
    await eventually(() => expect(send(port, { session, body: callOf('echo') })).rejects.toThrow('ECONNREFUSED'))
    void whole.sink.send('{"id":1}', true)
    void streamed.sink.send('{"id":2}', true)
    expect((await one).headers['connection']).toBe('close')
    expect(await readAll(await one)).toBe('{"id":1}')
    expect(await stream).toBe('data: {"id":2}\n\n')
    await closed
    expect([...whole.ownerCalls, ...streamed.ownerCalls]).not.toContain('lost')
  })

  test('does not wait forever: streams end, requests without an answer are cut off', async () => {
    const { gateway, front, port } = await startFront()
    const session = gateway.open('2025-11-25')
    const held = start(port, { session, body: callOf('wait', {}, 1) })
    const first = await gateway.round()
    const streaming = start(port, { session, body: callOf('wait', {}, 2) })
    const second = await gateway.round()
    second.sink.open()
    const text = readAll(await streaming)
    await Promise.all([front.close(20), expect(held).rejects.toThrow('socket hang up')])
    expect(await text).toBe('retry: 1000\n\n')
    expect(first.ownerCalls).toEqual(['lost'])
    expect(second.ownerCalls).toEqual(['lost'])
  })

  test('does not wait for requests that do not arrive, nor for readers that do not read', async () => {
    const { gateway, front, port } = await startFront()
    const silent = connect(port, '127.0.0.1')
    const half = connect(port, '127.0.0.1')
    const session = gateway.open('2025-11-25')
    const deaf = start(port, { session, body: callOf('wait') })
    const { sink } = await gateway.round()
    sink.open()
    void sink.send(JSON.stringify('x'.repeat(3 * 1024 * 1024)), true)
    const unread = (await deaf).on('error', () => {})
    half.write('POST /mcp HTTP/1.1\r\nhost: localhost\r\n')
    const ends = [silent, half].map((socket) => once(socket.resume(), 'close'))
    await front.close(20)
    await expect(Promise.all(ends)).resolves.toHaveLength(2)
    unread.destroy()
  })

  test('closes connections without a request immediately', async () => {
    const { front, port } = await startFront()
    const accepted = once(front.app.server, 'connection')
    const ahead = connect(port, '127.0.0.1')
    await accepted
    const ended = once(ahead.resume(), 'close')
    await front.close(60_000)
    await expect(ended).resolves.toBeDefined()
  })

  test('closes idle connections immediately', async () => {
    const { gateway, front, port } = await startFront()
    const agent = new Agent({ keepAlive: true })
    onTestFinished(() => agent.destroy())
    const response = await start(port, { session: gateway.open('2025-11-25'), body: callOf('echo'), agent })
    const ended = once(response.socket, 'close')
    await readAll(response)
    await front.close(60_000)
    await expect(ended).resolves.toBeDefined()
  })

  test.each([
    ['a stream that ends meanwhile', false],
    ['an answer that was written before', true],
  ])('lets a reader that is behind have the rest of %s', async (_name, whole) => {
    const { gateway, front, port } = await startFront({ limits: { streamBuffer: 128 * 1024 * 1024 } })
    const socket = connect(port, '127.0.0.1').setEncoding('latin1').pause()
    socket.write(head + rest(gateway.open('2025-11-25'), callOf('wait')))
    const { sink } = await gateway.round()
    void sink.send(JSON.stringify('x'.repeat(64 * 1024 * 1024)), whole)
    const closed = front.close(60_000)
    void sink.send('"the end"', true)
    // Long enough for the server to have closed every connection that is idle by now.
    for (let turn = 0; turn < 100; turn += 1) await setImmediate()
    let length = 0
    socket.on('data', (chunk: string) => (length += chunk.length)).resume()
    await once(socket, 'close')
    expect(length).toBeGreaterThan(64 * 1024 * 1024)
    await closed
  })

  test('answers a request that has begun to arrive, with the texts of the catalogue', async () => {
    const { gateway, front, port } = await startFront()
    const socket = connect(port, '127.0.0.1').setEncoding('utf8')
    const accepted = once(front.app.server, 'connection')
    socket.write(head)
    await accepted
    const closed = front.close(60_000)
    socket.write(rest(gateway.open('2025-11-25'), callOf('echo')))
    const [answer] = (await once(socket, 'data')) as [string]
    expect(answer).toMatch(
      /^HTTP\/1.1 200 OK\r\n(?:.*\r\n)*connection: close\r\n(?:.*\r\n)*\r\n\{"jsonrpc":"2.0","id":1,/i,
    )
    await closed
  })

  test('leaves nothing that keeps a process alive', async () => {
    const script = fileURLToPath(new URL('../../test/close-fixture.ts', import.meta.url))
    const { stdout } = await promisify(execFile)(process.execPath, [script], { timeout: 15_000 })
    expect(stdout).toBe('[200,200,200]')
  })

  test('happens once, and may happen before listening', async () => {
    const listen = { host: '127.0.0.1', port: 0 }
    const front = createHttpFront({ front: createFixtureGateway(), listen, log: silentLog })
    expect(front.close()).toBe(front.close())
    await front.close()
  })
})
