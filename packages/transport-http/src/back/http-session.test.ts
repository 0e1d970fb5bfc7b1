import { openEvents, routes, sendEvent, sendJson, statusOnly, eventually } from '@junctor/testkit'
import { expect, onTestFinished, test, vi } from 'vitest'
import {
  ask,
  initialize,
  logMessage,
  notification,
  opensSession,
  recorder,
  request,
  result,
  start,
} from '../../test/back-fixture.ts'

test('requests carry configured and protocol headers only', async () => {
  const { server, session } = await start(opensSession, { headers: { Authorization: 'Bearer k', 'X-Team': 'a' } })
  await initialize(session)
  await ask(session)
  const {
    host: _host,
    'content-length': _length,
    connection: _connection,
    ...headers
  } = server.received[1]?.headers ?? {}
  expect(headers).toEqual({
    authorization: 'Bearer k',
    'x-team': 'a',
    'user-agent': 'junctor',
    'accept-encoding': 'identity',
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-session-id': 's-1',
    'mcp-protocol-version': '2025-11-25',
  })
  expect(server.received[0]?.headers).not.toHaveProperty('mcp-protocol-version')
})

test('404 in a session means that the request was not run, and that the session is lost', async () => {
  const { session } = await start(routes({ 'POST initialize': opensSession, POST: statusOnly(404) }))
  await initialize(session)
  expect(session.lost).toBe(false)
  const { end } = await ask(session)
  expect(end).toEqual({ kind: 'session_unknown' })
  expect(session.lost).toBe(true)
})

test('for a cancelled request the server receives the cancellation before the stream is closed', async () => {
  const order: string[] = []
  const { session } = await start(
    routes({
      'POST notifications/cancelled'(_, response) {
        order.push('cancelled')
        response.writeHead(202).end()
      },
      POST(_, response) {
        response.on('close', () => order.push('let go'))
        openEvents(response)
        sendEvent(response, { data: logMessage('working') })
      },
    }),
  )
  const received = recorder()
  const working = Promise.withResolvers<void>()
  const pending = session.request(request(1, 'tools/call'), { ...received, message: () => working.resolve() })
  await working.promise
  pending.abandon(notification('notifications/cancelled'))
  await eventually(() => expect(order).toEqual(['cancelled', 'let go']))
  expect(received.received).toEqual([])
})

test('a session is ended after the server has received the cancellations of its requests', async () => {
  const order: string[] = []
  const { session } = await start(
    routes({
      'POST initialize': opensSession,
      'POST notifications/cancelled'(_, response) {
        setTimeout(() => {
          order.push('cancelled')
          response.writeHead(202).end()
        }, 50)
      },
      'POST tools/call': (_, response) => openEvents(response),
      DELETE(_, response) {
        order.push('ended')
        response.writeHead(200).end()
      },
    }),
  )
  await initialize(session)
  const pending = [2, 3].map((id) => session.request(request(id, 'tools/call'), recorder()))
  await eventually(() => expect(pending.every(({ sent }) => sent)).toBe(true))
  for (const one of pending) one.abandon(notification('notifications/cancelled'))
  await session.close()
  expect(order).toEqual(['cancelled', 'cancelled', 'ended'])
})

test('a request that was not sent is not cancelled at the server', async () => {
  const { server, session } = await start((to, response) => sendJson(response, result(to)))
  const received = recorder()
  const pending = session.request(request(1, 'tools/call'), received)
  expect(pending.sent).toBe(false)
  pending.abandon(notification('notifications/cancelled'))
  await ask(session)
  expect(server.received.map(({ body }) => body['method'])).not.toContain('notifications/cancelled')
  expect(received.received).toEqual([])
})

test('a stream that stays open after its response is aborted', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const { server, session } = await start((to, response) => {
    openEvents(response)
    sendEvent(response, { data: result(to) })
  })
  await ask(session)
  expect(server.sockets).toBe(1)
  vi.advanceTimersByTime(10_000)
  await eventually(() => expect(server.sockets).toBe(0))
})

test('a delivery that a server never answers is given up, and its connection released', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const { server, session } = await start(() => {})
  const sent = session.send(notification('notifications/initialized'))
  await eventually(() => expect(server.received).toHaveLength(1))
  vi.advanceTimersByTime(30_000)
  expect(await sent).toMatchObject({ kind: 'interrupted' })
  const pending = session.request(request(1, 'tools/call'), recorder())
  await eventually(() => expect(server.received).toHaveLength(2))
  pending.abandon(notification('notifications/cancelled'))
  await eventually(() => expect(server.received).toHaveLength(3))
  vi.advanceTimersByTime(10_000)
  await eventually(() => expect(server.sockets).toBe(0))
})

test('notifications and responses resolve when the server has accepted them, or with the reason why not', async () => {
  const { session } = await start(routes({ 'POST notifications/initialized': statusOnly(202), POST: statusOnly(503) }))
  expect(await session.send(notification('notifications/initialized'))).toBeUndefined()
  expect(await session.send(notification('notifications/cancelled'))).toMatchObject({ kind: 'refused', status: 503 })
})

test('a stream in answer to a notification counts as its acceptance, and is closed', async () => {
  const { server, session } = await start((_, response) => openEvents(response))
  expect(await session.send(notification('notifications/initialized'))).toBeUndefined()
  await eventually(() => expect(server.sockets).toBe(0))
})

test('closing a session ends it at the server; a lost session and one without an id send no DELETE', async () => {
  const { server, client, session } = await start(
    routes({ 'POST initialize': opensSession, 'POST tools/list': statusOnly(404), DELETE: statusOnly(200) }),
  )
  await initialize(session)
  await session.close()
  await session.close()
  const lost = client.createSession()
  await initialize(lost)
  await ask(lost, 'tools/list')
  await lost.close()
  await client.createSession().close()
  const ends = server.received.filter(({ method }) => method === 'DELETE')
  expect(ends).toHaveLength(1)
  expect(ends[0]?.headers['mcp-session-id']).toBe('s-1')
})

test('only so many deliveries are on their way at once; the others wait for their turn, and a request does not', async () => {
  const held: (() => void)[] = []
  let holds = true
  const { server, session } = await start(
    routes({
      'POST notifications/progress'(_, response) {
        const accept = (): void => void response.writeHead(202).end()
        if (holds) held.push(accept)
        else accept()
      },
      POST: (to, response) => sendJson(response, result(to)),
    }),
  )
  const sent = Array.from({ length: 200 }, () => session.send(notification('notifications/progress')))
  await eventually(() => expect(held.length).toBeGreaterThanOrEqual(64))
  expect((await ask(session)).end).toMatchObject({ kind: 'result' })
  expect(held).toHaveLength(64)
  expect(server.sockets).toBe(65)
  holds = false
  for (const accept of held) accept()
  expect(new Set(await Promise.all(sent))).toEqual(new Set([undefined]))
  expect(server.received).toHaveLength(201)
})

test('a delivery beyond those that may wait is not sent, and those that wait end with the session', async () => {
  const { server, session } = await start(() => {})
  const sent = Array.from({ length: 64 + 4_096 }, () => session.send(notification('notifications/progress')))
  expect(await session.send(notification('notifications/progress'))).toMatchObject({ kind: 'interrupted' })
  await eventually(() => expect(server.received).toHaveLength(64))
  await session.close()
  expect(await sent.at(-1)).toMatchObject({ kind: 'interrupted' })
  expect(server.received).toHaveLength(64)
})
