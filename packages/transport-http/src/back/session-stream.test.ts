import type { ServerResponse } from 'node:http'
import type { JsonObject } from '@junctor/jsonrpc'
import {
  openEvents,
  routes,
  type Script,
  sendEvent,
  startScriptedServer,
  statusOnly,
  eventually,
} from '@junctor/testkit'
import { expect, onTestFinished, test, vi } from 'vitest'
import { initialize, opensSession, start } from '../../test/back-fixture.ts'
import { createMcpHttpClient } from './index.ts'

const changed: JsonObject = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' }

async function listen(script: Script, limits: { readonly messageBytes?: number } = {}) {
  const server = await startScriptedServer(script)
  const client = createMcpHttpClient({ url: `${server.origin}/mcp`, limits })
  const session = client.createSession()
  const received: string[] = []
  const opened = session.listen({ message: ({ method }) => void received.push(method), lost() {}, doubtful() {} })
  onTestFinished(async () => {
    await session.close()
    await client.close()
    await eventually(() => expect(server.sockets).toBe(0))
    await server.close()
  })
  await opened
  return { server, session, received }
}

function answer(response: ServerResponse, id: string, end: boolean): void {
  openEvents(response)
  sendEvent(response, { id, retry: 1, data: changed })
  if (end) response.end()
}

test('messages are delivered until the session is closed', async () => {
  const { server, session, received } = await listen((_, response) => answer(response, 'e-1', false))
  await eventually(() => expect(received).toEqual(['notifications/tools/list_changed']))
  await session.close()
  await eventually(() => expect(server.sockets).toBe(0))
  expect(server.received).toHaveLength(1)
})

test('a message above the limit is left out, and the stream is read on', async () => {
  const script: Script = (_, response) => {
    openEvents(response)
    sendEvent(response, { data: { ...changed, params: { text: 'x'.repeat(100_000) } } })
    sendEvent(response, { data: { jsonrpc: '2.0', method: 'notifications/message', params: {} } })
  }
  const { server, received } = await listen(script, { messageBytes: 1_000 })
  await eventually(() => expect(received).toEqual(['notifications/message']))
  expect(server.received).toHaveLength(1)
})

test('a server that sends without end leaves turns to other work', async () => {
  const total = 200_000
  const piece = `data: ${JSON.stringify(changed)}\n\n`.repeat(1_000)
  const { received } = await listen((_, response) => {
    openEvents(response)
    response.end(piece.repeat(total / 1_000))
  })
  let most = 0
  await new Promise<void>((resolve) => {
    let before = received.length
    const turn = (): void => {
      most = Math.max(most, received.length - before)
      before = received.length
      if (before < total) setImmediate(turn)
      else resolve()
    }
    turn()
  })
  expect(received).toHaveLength(total)
  // libuv reads up to two megabytes in one turn, which is thirty thousand of these messages.
  expect(most).toBeLessThan(5_000)
})

test('a stream that ends is resumed from its last event', async () => {
  let round = 0
  const { server, received } = await listen((_, response) => {
    round += 1
    answer(response, `e-${round}`, round < 8)
  })
  await eventually(() => expect(received).toHaveLength(8))
  expect(server.received.map(({ headers }) => headers['last-event-id'])).toEqual([
    undefined,
    ...[1, 2, 3, 4, 5, 6, 7].map((number) => `e-${number}`),
  ])
})

test.each([405, 400, 406, 501, 404])('a server that has no stream (%i) is not asked again', async (code) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const { server, session } = await listen(routes({ POST: statusOnly(202), GET: statusOnly(code) }))
  const roundTrip = () => session.send({ kind: 'notification', dialect: '2.0', method: 'any', params: undefined })
  await roundTrip()
  vi.advanceTimersByTime(60_000)
  await roundTrip()
  expect(server.received.map(({ method }) => method)).toEqual(['GET', 'POST', 'POST'])
})

test('when the server no longer knows the session, the listener is called', async () => {
  const rounds: Script[] = [(_, response) => answer(response, 'e-1', true), statusOnly(404)]
  const script = routes({ 'POST initialize': opensSession, GET: (to, response) => rounds.shift()?.(to, response) })
  const { session } = await start(script)
  await initialize(session)
  const lost = vi.fn<() => void>()
  await session.listen({ message() {}, lost, doubtful() {} })
  await eventually(() => expect(lost).toHaveBeenCalledOnce())
  expect(session.lost).toBe(true)
})

test('404 for a stream that the server never had does not lose the session', async () => {
  const { session } = await start(routes({ 'POST initialize': opensSession, GET: statusOnly(404) }))
  await initialize(session)
  const lost = vi.fn<() => void>()
  await session.listen({ message() {}, lost, doubtful() {} })
  expect(lost).not.toHaveBeenCalled()
  expect(session.lost).toBe(false)
})

test.each([409, 429, 503])('a server that refuses the stream temporarily (%i) is asked again', async (code) => {
  const rounds: Script[] = [statusOnly(code), (_, response) => answer(response, 'e-1', false)]
  const { received } = await listen((to, response) => rounds.shift()?.(to, response))
  await eventually(() => expect(received).toHaveLength(1))
})

test('a server that cannot resume is asked for a new stream', async () => {
  const rounds: Script[] = [
    (_, response) => answer(response, 'e-1', true),
    statusOnly(400),
    (_, response) => answer(response, 'e-2', false),
  ]
  const { server, received } = await listen((to, response) => rounds.shift()?.(to, response))
  await eventually(() => expect(received).toHaveLength(2))
  expect(server.received.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, 'e-1', undefined])
})

test('listen does not wait for a server that delays its headers', async () => {
  const begun = performance.now()
  await listen(() => {})
  // The headers never come.
  expect(performance.now() - begun).toBeLessThan(20_000)
})
