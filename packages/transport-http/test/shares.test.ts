import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { createStreamShares } from '@junctor/connection'
import { expect, onTestFinished, test } from 'vitest'
import type { ReceivedRequest } from '../src/front/request/received-request.ts'
import { startFront } from './front-fixture.ts'
import { callOf, send, start } from './http-fixture.ts'
import { eventually } from '@junctor/testkit'

async function openSilent(port: number, count: number): Promise<readonly Socket[]> {
  const sockets = Array.from({ length: count }, () => connect(port, '127.0.0.1').on('error', () => {}))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
  })
  await Promise.all(sockets.map((socket) => once(socket, 'connect')))
  return sockets
}

test.each([
  ['nothing', ''],
  ['half a request', 'POST /mcp HTTP/1.1\r\nHost: localhost\r\nX-Slow'],
])('60 connections that send %s do not keep other clients out', async (_what, sentText) => {
  const { gateway, port } = await startFront({ limits: { connections: 60 } })
  const silent = await openSilent(port, 60)
  for (const socket of silent) socket.write(sentText)
  const session = gateway.open('2025-11-25')
  const began = performance.now()
  for (let count = 0; count < 5; count += 1) {
    expect(await send(port, { session, body: callOf('echo', {}, count) })).toMatchObject({ status: 200 })
  }
  expect(performance.now() - began).toBeLessThan(5_000)
  // They have made room, the oldest first; the youngest are still open.
  await eventually(() => expect(silent[0]?.destroyed || silent[0]?.readableEnded).toBe(true))
  expect(silent.at(-1)?.destroyed).toBe(false)
})

test('when all connections are used, a client is refused with a Retry-After, and admitted when there is room', async () => {
  const { gateway, port } = await startFront({ limits: { connections: 4, connectionsOfAddress: 2 } })
  const session = gateway.open('2025-11-25')
  const headers = { accept: 'text/event-stream', 'content-type': undefined }
  const streams = []
  for (let count = 0; count < 2; count += 1) {
    const response = start(port, { method: 'GET', session, headers })
    const { sink } = await gateway.round()
    sink.open()
    streams.push(await response)
  }
  const refused = await send(port, { session, body: callOf('echo', {}) })
  expect(refused).toMatchObject({ status: 503, headers: { 'retry-after': '1', connection: 'close' } })
  expect(refused.text).toContain('overloaded')
  streams[0]?.destroy()
  await eventually(async () =>
    expect(await send(port, { session, body: callOf('echo', {}) })).toMatchObject({ status: 200 }),
  )
})

test('a client with its share of the streams is refused with a Retry-After; calls continue', async () => {
  const shares = createStreamShares({ streamsOfPrincipal: 1, streamsOfTenant: 9 })
  const { gateway, port } = await startFront({ shares })
  const session = gateway.open('2025-11-25')
  const headers = { accept: 'text/event-stream', 'content-type': undefined }
  const response = start(port, { method: 'GET', session, headers })
  const { sink } = await gateway.round()
  sink.open()
  const first = await response
  expect(await send(port, { method: 'GET', session, headers })).toMatchObject({
    status: 503,
    headers: { 'retry-after': '1' },
  })
  expect(await send(port, { session, body: callOf('echo', {}) })).toMatchObject({ status: 200 })
  first.destroy()
  // Its place is free when the server has noticed that.
  void gateway.round().then((round) => round.sink.open())
  await eventually(async () => {
    const again = await start(port, { method: 'GET', session, headers })
    again.destroy()
    expect(again.statusCode).toBe(200)
  })
})

test('a client that leaves during its admission holds no place', async () => {
  const shares = createStreamShares({ streamsOfPrincipal: 1, streamsOfTenant: 9 })
  const { gateway, port } = await startFront({ shares })
  const authenticate = gateway.authenticate.bind(gateway)
  const session = gateway.open('2025-11-25')
  const stream = { method: 'GET', session, headers: { accept: 'text/event-stream', 'content-type': undefined } }
  const arrived = Promise.withResolvers<void>()
  const admitted = Promise.withResolvers<void>()
  gateway.authenticate = async (head) => {
    arrived.resolve()
    await once((head as ReceivedRequest).response, 'close')
    setImmediate(() => admitted.resolve())
    return authenticate(head)
  }
  const [socket] = await openSilent(port, 1)
  socket?.write(
    `GET /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\nMcp-Session-Id: ${session.id}\r\n\r\n`,
  )
  await arrived.promise
  socket?.resetAndDestroy()
  await admitted.promise
  gateway.authenticate = authenticate
  const response = start(port, stream)
  const { sink } = await gateway.round()
  sink.open()
  expect((await response).statusCode).toBe(200)
})
