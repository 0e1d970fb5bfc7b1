import { describe, expect, test } from 'vitest'
import { startFront } from '../../../test/front-fixture.ts'
import { callOf, send } from '../../../test/http-fixture.ts'

const notification = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })
const batch = (...messages: string[]): string => `[${messages.join(',')}]`
const three = (id: number, method = 'echo'): string => JSON.stringify({ jsonrpc: '3.0', id, method, params: {} })

describe('a batch of JSON-RPC 3.0', () => {
  test.each(['2024-11-05', '2025-06-18', '2025-11-25'] as const)('is accepted at %s', async (revision) => {
    const { gateway, port } = await startFront()
    const answer = await send(port, { session: gateway.open(revision), body: batch('1', three(1), three(2)) })
    expect(answer.status).toBe(200)
    expect(JSON.parse(answer.text)).toMatchObject([
      { jsonrpc: '3.0', error: { code: -32600 } },
      { id: 1, result: {} },
      { id: 2, result: {} },
    ])
  })

  test('is accepted without a session', async () => {
    const { port } = await startFront()
    const answer = await send(port, { body: batch(three(1), three(2)) })
    expect(JSON.parse(answer.text)).toMatchObject([{ id: 1 }, { id: 2 }])
  })

  test.each([
    ['with 2.0 in it', batch(three(1), callOf('echo'))],
    ['with `initialize` in it', batch(three(1), three(2, 'initialize'))],
    ['of which nothing can be read', batch('1', '2')],
  ])('%s is refused', async (_name, body) => {
    const { gateway, port } = await startFront()
    const answer = await send(port, { session: gateway.open('2025-11-25'), body })
    expect(answer.status).toBe(400)
    expect(gateway.received).toEqual([])
  })
})

describe('a batch', () => {
  test('of requests is answered with one array', async () => {
    const { gateway, port } = await startFront()
    const session = gateway.open('2025-03-26')
    const body = batch(callOf('echo', { a: 1 }, 'x'), notification, callOf('echo', { b: 2 }, 2))
    expect(await send(port, { session, body })).toMatchObject({
      status: 200,
      headers: { 'content-type': 'application/json' },
      text: '[{"jsonrpc":"2.0","id":"x","result":{"a":1}},{"jsonrpc":"2.0","id":2,"result":{"b":2}}]',
    })
    expect(gateway.received).toHaveLength(3)
  })

  test('with one request that streams is answered with a stream of single messages', async () => {
    const { gateway, port } = await startFront()
    const session = gateway.open('2025-03-26')
    const answer = send(port, {
      session,
      body: batch(callOf('echo', {}, 1), callOf('wait', {}, 2), callOf('wait', {}, 3)),
    })
    const [second, third] = [await gateway.round(), await gateway.round()]
    third.sink.open()
    void second.sink.send('{"id":2}', true)
    void third.sink.send('{"id":3}', true)
    expect(await answer).toMatchObject({
      status: 200,
      headers: { 'content-type': 'text/event-stream' },
      text: 'data: {"jsonrpc":"2.0","id":1,"result":{}}\n\ndata: {"id":2}\n\ndata: {"id":3}\n\n',
    })
  })

  test('of notifications is accepted with an empty body', async () => {
    const { gateway, port } = await startFront()
    const session = gateway.open('2025-03-26')
    const answer = await send(port, { session, body: batch(notification, notification) })
    expect(answer).toMatchObject({ status: 202, text: '' })
    expect(gateway.received).toHaveLength(2)
  })

  test('answers unreadable entries together with the others', async () => {
    const { gateway, port } = await startFront()
    const session = gateway.open('2025-03-26')
    const answer = await send(port, { session, body: batch('1', '{"jsonrpc":"2.0","id":7}', callOf('echo', {}, 8)) })
    expect(answer.status).toBe(200)
    expect(JSON.parse(answer.text)).toMatchObject([
      { id: null, error: { code: -32600 } },
      { id: 7, error: { code: -32600 } },
      { id: 8, result: {} },
    ])
  })

  test('reports the loss of its client to each of its requests', async () => {
    const { gateway, front, port } = await startFront()
    const session = gateway.open('2025-03-26')
    const answer = send(port, { session, body: batch(callOf('wait', {}, 1), callOf('wait', {}, 2)) })
    const rounds = [await gateway.round(), await gateway.round()]
    await Promise.all([front.close(0), expect(answer).rejects.toThrow('socket hang up')])
    expect(rounds.map(({ ownerCalls }) => ownerCalls)).toEqual([['lost'], ['lost']])
  })
})

test.each([
  ['without a session', undefined, batch(callOf('echo')), 'without a session'],
  ['before there were any', '2024-11-05', batch(callOf('echo')), 'revision 2024-11-05 has none'],
  ['after they were removed', '2025-06-18', batch(callOf('echo')), 'revision 2025-06-18 has none'],
  ['in the newest revision', '2025-11-25', batch(callOf('echo'), notification), 'revision 2025-11-25 has none'],
  ['of JSON-RPC 3.0 with one message of 2.0', '2025-11-25', batch(three(1), callOf('echo')), 'JSON-RPC 3.0 alone'],
  ['of both versions without a session', undefined, batch(three(1), callOf('echo')), 'JSON-RPC 3.0 alone'],
  ['that opens a session', '2025-03-26', batch(callOf('echo'), callOf('initialize', {}, 2)), 'on its own'],
  ['with nothing in it', '2025-03-26', '[]', 'got none'],
] as const)('a batch %s is refused as a whole', async (_name, revision, body, reason) => {
  const { gateway, port } = await startFront()
  const session = revision === undefined ? {} : { session: gateway.open(revision) }
  const answer = await send(port, { ...session, body })
  expect(answer.status).toBe(400)
  expect(JSON.parse(answer.text)).toMatchObject({ error: { code: -32600, message: expect.stringContaining(reason) } })
  expect(gateway.received).toEqual([])
})

test('a refused batch of notifications is answered with a status alone, and they are counted', async () => {
  const { gateway, port } = await startFront()
  const session = gateway.open('2025-11-25')
  const bad = '{"jsonrpc":"2.0","method":"bad","params":1}'
  expect(await send(port, { session, body: batch(notification, bad) })).toMatchObject({ status: 400, text: '' })
  expect(gateway.ignored).toEqual([(JSON.parse(notification) as { method: string }).method, 'bad'])
  expect(await send(port, { session, body: bad })).toMatchObject({ status: 400, text: '' })
  expect(await send(port, { body: notification })).toMatchObject({ status: 400, text: '' })
  expect(gateway.ignored).toHaveLength(4)
  expect(gateway.received).toEqual([])
})

test('a batch of too many messages is refused as a whole', async () => {
  const { gateway, port } = await startFront()
  const session = gateway.open('2025-03-26')
  const answer = await send(port, { session, body: batch(...Array.from({ length: 101 }, () => notification)) })
  expect(answer).toMatchObject({ status: 413, text: expect.stringContaining('at most 100') })
  expect(gateway.received).toEqual([])
})
