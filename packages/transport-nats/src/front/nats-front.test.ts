import { silentLog } from '@junctor/contracts'
import { type NatsServer, eventually, startNatsServer } from '@junctor/testkit'
import { connect } from '@nats-io/transport-node'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { longEvent, sendUntilSlow, serve } from '../../test/front-fixture.ts'
import { ask, join, type NatsClient, open } from '../../test/raw-client.ts'

let nats: NatsServer
beforeAll(async () => {
  nats = await startNatsServer({ jetStream: false })
})
afterAll(() => nats.stop())

function call(id: number | string, method: string): object {
  return { jsonrpc: '2.0', id, method }
}

function result(id: number | string, method: string): string {
  return JSON.stringify({ jsonrpc: '2.0', id, result: { method } })
}

const libraries: readonly NatsClient[] = ['@nats-io/transport-node', 'nats 2.29']

describe.each(libraries)('a client that asks for a channel with %s', (library) => {
  test('is admitted by its credentials, at the tenant in the subject', async () => {
    const { front } = await serve(nats)
    const { opening, root } = await ask(nats.url, library, { tenant: 'acme', client: 'me=20too' })
    expect(opening.body['in']).toMatch(`${root}.in.`)
    expect(opening.body['out']).toMatch(`${root}.out.`)
    const [head] = front.heads
    expect(head).toMatchObject({ transport: 'nats', tenant: 'acme', loopback: false })
    expect([head?.header('authorization'), head?.header('other')]).toEqual(['Bearer good', undefined])
  })

  test('is refused with a Retry-After when there are too many, and admitted when one has left', async () => {
    const warned = vi.spyOn(silentLog, 'warn')
    onTestFinished(() => warned.mockRestore())
    await serve(nats, { connections: 1, streamKeepAliveMs: 300 })
    const first = await open(nats.url, library)
    await ask(nats.url, library)
    const { opening } = await ask(nats.url, library)
    expect(opening.headers).toMatchObject({ 'Nats-Service-Error-Code': '503', 'retry-after': '1' })
    expect(opening.body).toMatchObject({ error: { data: { reason: 'overloaded' } } })
    // Any client can ask often, so the log has one line a minute.
    const fields = { reason: 'there are too many', requests: 1 }
    expect(warned.mock.calls).toEqual([['a client on the bus was not let in', fields]])
    await first.leave()
    await eventually(async () => expect((await ask(nats.url, library)).opening.headers).toEqual({}))
  })

  test('may use any case for its header', async () => {
    await serve(nats)
    const { opening } = await ask(nats.url, library, { headers: { Authorization: 'Bearer good' } })
    expect(opening.headers).toEqual({})
  })

  test.each([
    ['without credentials', { headers: { other: 'x' } }, '401', 'Bearer realm="junctor"', -32_000],
    ['at an unknown tenant', { tenant: 'nobody' }, '404', undefined, -32_000],
    ['while the authenticator throws', { headers: { authorization: 'Bearer broken' } }, '500', undefined, -32_603],
  ])('%s is answered with an error', async (_, options, status, challenge, code) => {
    await serve(nats)
    const { opening } = await ask(nats.url, library, options)
    expect(opening.body).toMatchObject({ jsonrpc: '2.0', id: null, error: { code } })
    expect(opening.headers['Nats-Service-Error-Code']).toBe(status)
    expect(opening.headers['www-authenticate']).toBe(challenge)
  })

  test('is refused when the gateway closes while its credentials are being checked, which is not waited for', async () => {
    const { front, server } = await serve(nats)
    const checking = Promise.withResolvers<void>()
    vi.spyOn(front, 'authenticate').mockImplementation(() => {
      checking.resolve()
      return new Promise(() => {})
    })
    const asked = ask(nats.url, library)
    await checking.promise
    await server.close(10_000)
    const { opening } = await asked
    expect(opening.headers).toMatchObject({ 'Nats-Service-Error-Code': '503', 'retry-after': '1' })
    expect(opening.body).toMatchObject({ error: { data: { reason: 'overloaded' } } })
  })

  test('has a session, and answers to requests', async () => {
    const { front } = await serve(nats, { streamKeepAliveMs: 300 })
    const { send, texts, leave } = await open(nats.url, library)
    send(call(1, 'echo'), call('1', 'echo'), call('', 'stream'))
    await eventually(() => expect(texts).toHaveLength(4))
    expect(texts).toEqual([
      result(1, 'echo'),
      result('1', 'echo'),
      '{"jsonrpc":"2.0","method":"progress"}',
      result('', 'stream'),
    ])
    await leave()
    await eventually(() => expect(front.ended).toEqual(['disconnected']))
  })
})

describe('a hostile client', () => {
  test.each([
    ['another client', 'mcp.v1.test.default.other.reply'],
    ['the fabric', 'junctor.v1.test.node.n1.call'],
    ['all of its own subjects', 'mcp.v1.test.default.evil.>'],
    ['any of its own subjects', 'mcp.v1.test.default.evil.*'],
    ['its root itself', 'mcp.v1.test.default.evil'],
    ['a client whose name begins alike', 'mcp.v1.test.default.evilish.reply'],
    ['no subject', ''],
  ])('cannot have the gateway answer to %s', async (_, reply) => {
    const { front } = await serve(nats)
    const connection = await connect({ servers: nats.url })
    onTestFinished(() => connection.close())
    const received: string[] = []
    connection.subscribe('>', { callback: (_error, { subject }) => void received.push(subject) })
    const subject = 'mcp.v1.test.default.evil.open'
    connection.publish(subject, '', reply === '' ? {} : { reply })
    await connection.flush()
    await ask(nats.url, 'nats 2.29')
    await eventually(() => expect(received.at(-1)).toMatch('mcp.v1.test.default.me.reply'))
    expect(received.filter((one) => !one.startsWith('mcp.v1.test.default.me.') && one !== subject)).toEqual([])
    expect(front.heads).toHaveLength(1)
  })

  test.each(['*', '>', 'a=', 'a=ZZ', '$SYS'])('cannot be called %j', async (name) => {
    const { front } = await serve(nats)
    const connection = await connect({ servers: nats.url })
    onTestFinished(() => connection.close())
    connection.publish(`mcp.v1.test.default.${name}.open`, '', { reply: `mcp.v1.test.default.${name}.reply` })
    connection.publish(`mcp.v1.test.${name}.me.open`, '', { reply: `mcp.v1.test.${name}.me.reply` })
    await ask(nats.url, 'nats 2.29')
    expect(front.heads).toHaveLength(1)
  })

  test('cannot send on the channel of another client, whose name it does not know', async () => {
    const { front } = await serve(nats, { streamKeepAliveMs: 300 })
    const [one, other] = [await open(nats.url), await open(nats.url)]
    one.publish('mcp.v1.test.default.me.in.x', JSON.stringify(call(1, 'echo')))
    one.send(call(2, 'echo'))
    await eventually(() => expect(one.texts).toEqual([result(2, 'echo')]))
    expect(other.texts).toEqual([])
    await one.leave()
    await eventually(() => expect(front.ended).toEqual(['disconnected']))
    other.send(call(3, 'echo'))
    await eventually(() => expect(other.texts).toEqual([result(3, 'echo')]))
  })
})

describe('a channel', () => {
  test('forwards notifications and responses, and answers none of them', async () => {
    const { front } = await serve(nats)
    const { send, texts } = await open(nats.url)
    send({ jsonrpc: '2.0', method: 'no/such' }, { jsonrpc: '2.0', id: 1, result: {} }, call(1, 'echo'))
    await eventually(() => expect(texts).toEqual([result(1, 'echo')]))
    expect(front.taken.map(({ kind }) => kind)).toEqual(['notification', 'result'])
  })

  test('buffers messages until its session is open', async () => {
    await serve(nats)
    const { send, texts } = await join(nats.url)
    send(call(0, 'initialize'), call(1, 'echo'))
    await eventually(() => expect(texts).toHaveLength(3))
    expect(texts[2]).toBe(result(1, 'echo'))
  })

  test('needs no handshake where the dialect has none', async () => {
    const { front } = await serve(nats)
    const { send, texts } = await join(nats.url)
    send({ jsonrpc: '3.0', id: 1, method: 'wait' }, { jsonrpc: '3.0', id: 2, method: 'echo' })
    await eventually(() => expect(texts).toHaveLength(2))
    front.release()
    await eventually(() => expect(texts).toHaveLength(3))
    expect(front.streams).toHaveLength(1)
  })

  test('accepts a batch where its revision has them, and answers with one', async () => {
    await serve(nats)
    const batch = [call(1, 'echo'), call(2, 'cancelled'), call(3, 'echo'), { nonsense: true }]
    const old = await open(nats.url, 'nats 2.29', '2025-03-26')
    old.send(batch)
    await eventually(() => expect(old.texts).toHaveLength(1))
    const answers = JSON.parse(old.texts[0] ?? '') as { id?: number }[]
    expect(answers.map(({ id }) => id).filter((id) => typeof id === 'number')).toEqual([1, 3])
    const now = await open(nats.url)
    now.send(batch)
    await eventually(() => expect(now.texts).toHaveLength(1))
    expect(now.texts[0]).toMatch(/-32600.*2025-11-25/)
  })

  test('continues after input that is not a message', async () => {
    await serve(nats, { body: 1_000 })
    const { send, publish, texts } = await open(nats.url)
    send('{', '1')
    publish('', new Uint8Array([0xff]))
    send('x'.repeat(1_001), call(1, 'echo'))
    await eventually(() => expect(texts).toHaveLength(5))
    expect(texts.map((text) => (JSON.parse(text) as { error?: { code: number } }).error?.code)).toEqual([
      -32_700,
      -32_600,
      -32_700,
      -32_600,
      undefined,
    ])
    expect(texts[3]).toMatch('at most 1000 bytes')
  })

  test('carries messages in parts, and refuses a message whose parts together are too large', async () => {
    await serve(nats, { body: 1_000 })
    const { publish, send, texts } = await open(nats.url)
    const text = JSON.stringify(call(1, 'echo'))
    publish('', text.slice(0, 9), { 'Junctor-More': '1' })
    publish('', text.slice(9, 10), { 'Junctor-More': '1' })
    publish('', text.slice(10))
    for (let count = 0; count < 20; count += 1) publish('', 'x'.repeat(100), { 'Junctor-More': '1' })
    publish('', 'x')
    send(call(2, 'echo'))
    await eventually(() => expect(texts).toHaveLength(3))
    expect([texts[0], texts[2]]).toEqual([result(1, 'echo'), result(2, 'echo')])
    expect(texts[1]).toMatch('"code":-32600')
  })

  test('carries an answer that is larger than the largest NATS message', async () => {
    const { front } = await serve(nats)
    const { texts } = await open(nats.url)
    const event = JSON.stringify({ jsonrpc: '2.0', method: 'x', params: { text: 'ä'.repeat(2_000_000) } })
    void front.streams[0]?.send(event, false)
    await eventually(() => expect(texts).toEqual([event]))
  })
})

describe('the end of a channel', () => {
  test('the client closes: its session ends, and its requests in flight lose their client', async () => {
    const { front } = await serve(nats)
    const client = await open(nats.url)
    client.send(call(1, 'wait'))
    client.publish('', '', { 'Junctor-Close': 'done' })
    await eventually(() => expect(front.ended).toEqual(['disconnected']))
    expect(front.lost).toEqual(['wait'])
  })

  test('the client vanishes: that is noticed even when there is nothing to send', async () => {
    const { front } = await serve(nats, { streamKeepAliveMs: 300 })
    const [client, alive] = [await open(nats.url), await open(nats.url)]
    await client.leave()
    await eventually(() => expect(front.ended).toEqual(['disconnected']))
    alive.send(call(1, 'echo'))
    await eventually(() => expect(alive.texts).toEqual([result(1, 'echo')]))
  })

  test('a client that never subscribes is given up', async () => {
    const { connection } = await serve(nats, { streamKeepAliveMs: 300 })
    const { opening } = await ask(nats.url, 'nats 2.29')
    const probe = async (): Promise<void> => {
      await expect(connection.request(String(opening.body['in']), 'x', { timeout: 200 })).rejects.toThrow(
        'no responders',
      )
    }
    await eventually(probe)
  })

  test('a client that does not answer marks is given up, even if it sends messages', async () => {
    const { front } = await serve(nats, { streamKeepAliveMs: 300, stalledMs: 900 })
    const client = await open(nats.url)
    client.stopAnswering()
    await eventually(() => {
      client.send({ jsonrpc: '2.0', method: 'x' })
      expect(front.ended).toEqual(['disconnected'])
    })
  })

  test('its session has ended', async () => {
    const { front } = await serve(nats)
    const { goodbyes } = await open(nats.url)
    void front.streams[0]?.send('', true)
    await eventually(() => expect(goodbyes).toEqual(['done']))
  })

  test('the gateway closes, when requests in flight are answered; no new client is admitted', async () => {
    const { front, server } = await serve(nats)
    const client = await open(nats.url)
    client.send(call(1, 'wait'), call(2, 'echo'))
    await eventually(() => expect(client.texts).toHaveLength(1))
    const closing = server.close(10_000)
    await eventually(() => expect(ask(nats.url, 'nats 2.29')).rejects.toThrow('503'))
    front.release()
    await closing
    await eventually(() => expect(client.goodbyes).toEqual(['going_away']))
    expect(client.texts).toEqual([result(2, 'echo'), result(1, 'wait')])
    expect(front.ended).toEqual(['shutdown'])
  })

  test('requests that are not answered in time are lost', async () => {
    const { front, server } = await serve(nats)
    const client = await open(nats.url)
    client.send(call(1, 'wait'), call(2, 'echo'))
    await eventually(() => expect(client.texts).toHaveLength(1))
    await server.close(20)
    expect(front.lost).toEqual(['wait'])
  })

  test('its credentials have expired, after pending answers', async () => {
    const { front } = await serve(nats)
    front.expires = Date.now() + 500
    const client = await open(nats.url)
    client.send(call(1, 'wait'))
    // Credentials that are valid for longer than the longest timer.
    front.expires = Date.now() + 2 ** 33
    const other = await open(nats.url)
    await new Promise((resolve) => setTimeout(resolve, 510))
    client.send(call(2, 'echo'))
    front.release()
    await eventually(() => expect(client.goodbyes).toEqual(['expired']))
    expect(client.texts).toEqual([result(1, 'wait')])
    other.send(call(1, 'echo'))
    await eventually(() => expect(other.texts).toEqual([result(1, 'echo')]))
  })

  test('its credentials have expired, with an endless request in flight', async () => {
    const { front } = await serve(nats)
    front.expires = Date.now() + 300
    const client = await open(nats.url)
    client.send(call(1, 'wait'))
    await eventually(() => expect(client.goodbyes).toEqual(['expired']))
    expect(Date.now()).toBeGreaterThan(front.expires - 10)
  })

  test('an exception', async () => {
    const { front } = await serve(nats)
    const { send, goodbyes } = await open(nats.url)
    send(call(1, 'throw'))
    await eventually(() => expect(goodbyes).toEqual(['failed']))
    expect(front.ended).toEqual(['session_ended'])
  })

  test('a reader leaves too much unread', async () => {
    const { front } = await serve(nats, { buffered: 3_000_000 })
    const client = await open(nats.url)
    client.stopAnswering()
    const [stream] = front.streams
    for (let count = 0; count < 100; count += 1) void stream?.send(longEvent, false)
    await eventually(() => expect(client.goodbyes).toEqual(['too_slow']))
    await eventually(() => expect(front.ended).toEqual(['disconnected']))
  })

  test('a slow reader is waited for', async () => {
    const { front } = await serve(nats)
    const client = await open(nats.url)
    client.stopAnswering()
    const slow = sendUntilSlow(front)
    // Enough to notice that it is slow.
    client.send(call(1, 'echo'))
    await eventually(() => expect(client.texts).toContain(result(1, 'echo')))
    client.send(call(2, 'echo'))
    await client.flush()
    const other = await open(nats.url)
    expect(client.texts).not.toContain(result(2, 'echo'))
    client.answerAgain()
    await slow
    await eventually(() => expect(client.texts).toContain(result(2, 'echo')))
    await other.leave()
  })

  test('the gateway closes while NATS is not reachable', async () => {
    const other = await startNatsServer({ jetStream: false })
    onTestFinished(() => other.stop())
    const { front, server } = await serve(other)
    const client = await open(other.url)
    client.send(call(1, 'wait'), call(2, 'echo'))
    await eventually(() => expect(client.texts).toHaveLength(1))
    await other.kill()
    await server.close(5_000)
    expect(front.ended).toEqual(['disconnected'])
  })

  test('the connection to NATS was lost, perhaps with messages', async () => {
    const other = await startNatsServer({ jetStream: false })
    onTestFinished(() => other.stop())
    const { front } = await serve(other)
    await open(other.url)
    await other.restart()
    await eventually(() => expect(front.ended).toEqual(['disconnected']))
    await eventually(() => ask(other.url, 'nats 2.29'))
  })
})

test('of two gateways one admits a client, and serves it', async () => {
  const [one, other] = [await serve(nats), await serve(nats)]
  const clients = await Promise.all(Array.from({ length: 12 }, () => open(nats.url)))
  for (const client of clients) client.send(call(1, 'echo'))
  await eventually(() => expect(clients.map(({ texts }) => texts)).toEqual(clients.map(() => [result(1, 'echo')])))
  const counts = [one.front.streams.length, other.front.streams.length]
  expect(counts[0]! + counts[1]!).toBe(12)
  expect(Math.min(...counts)).toBeGreaterThan(0)
})
