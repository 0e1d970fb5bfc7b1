import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { type TelemetryEvent, silentLog } from '@junctor/contracts'
import { requestId } from '@junctor/jsonrpc'
import { createWireRecorder, eventually } from '@junctor/testkit'
import { startHttpServer } from '@junctor/testkit/http'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type EchoServer, startEchoServer } from '../../test/echo-server.ts'
import type { WebSocketLimits } from '../options.ts'
import { createWebSocketClient } from './web-socket-client.ts'

const never = new AbortController().signal

function clientOf(url: string, limits: Partial<WebSocketLimits> = {}, headers: Record<string, string> = {}) {
  const events: TelemetryEvent[] = []
  const emit = (event: TelemetryEvent): void => void events.push(event)
  return { events, client: createWebSocketClient({ backend: 'remote', url, limits, headers, log: silentLog, emit }) }
}

async function connected(limits: Partial<WebSocketLimits> = {}, headers: Record<string, string> = {}) {
  const server = await startEchoServer()
  onTestFinished(() => server.close())
  const { client, events } = clientOf(server.url, limits, headers)
  const wire = createWireRecorder()
  const transport = await client.open(wire.receiver(), never)
  onTestFinished(() => transport.close())
  const [peer] = server.clients
  if (peer === undefined) throw new Error('Expected a connection, got none')
  return { server, wire, transport, events, peer }
}

test('a peer that sends as fast as it can leaves turns to other work', async () => {
  const server = await startEchoServer()
  onTestFinished(() => server.close())
  let received = 0
  const transport = await clientOf(server.url).client.open({ message: () => void (received += 1) }, never)
  onTestFinished(() => transport.close())
  const total = 60_000
  const [peer] = server.clients
  for (let sent = 0; sent < total; sent += 1) peer?.send('{"jsonrpc":"2.0","method":"flood"}')
  let most = 0
  await new Promise<void>((resolve) => {
    let before = received
    const turn = (): void => {
      most = Math.max(most, received - before)
      before = received
      if (before < total) setImmediate(turn)
      else resolve()
    }
    turn()
  })
  // Without a pause, libuv reads up to two megabytes in one turn.
  expect(most).toBeLessThan(5_000)
})

describe('opening', () => {
  test('sends the configured headers, and offers only `mcp`', async () => {
    const { server } = await connected({}, { authorization: 'Bearer key' })
    expect(server.requests[0]?.headers).toMatchObject({
      authorization: 'Bearer key',
      'user-agent': 'junctor',
      'sec-websocket-protocol': 'mcp',
    })
    expect(server.requests[0]?.headers).not.toHaveProperty('sec-websocket-extensions')
    expect(server.requests[0]?.headers).not.toHaveProperty('origin')
  })

  test.each([
    ['', {}],
    [', also from one that selects no subprotocol', { handleProtocols: () => false as const }],
  ])('reads messages that the server sends immediately%s', async (_which, options) => {
    const server = await startEchoServer('{"jsonrpc":"2.0","method":"hello"}', options)
    onTestFinished(() => server.close())
    const wire = createWireRecorder()
    const transport = await clientOf(server.url).client.open(wire.receiver(), never)
    onTestFinished(() => transport.close())
    await wire.untilReceived(1)
    expect(wire.texts('received')).toEqual(['{"jsonrpc":"2.0","method":"hello"}'])
  })

  test('rejects when no server listens', async () => {
    const { client } = clientOf('ws://127.0.0.1:1/mcp')
    await expect(client.open({ message() {} }, never)).rejects.toMatchObject({ code: 'BACKEND_UNREACHABLE' })
  })

  test.each([401, 404, 302])('rejects when the server answers with %i', async (status) => {
    const headers = { location: 'http://127.0.0.1:1/' }
    const { port, close } = await startHttpServer((_, response) => response.writeHead(status, headers).end())
    onTestFinished(close)
    const { client } = clientOf(`ws://127.0.0.1:${port}/mcp`)
    const refused = client.open({ message() {} }, never)
    await expect(refused).rejects.toMatchObject({ code: 'BACKEND_REFUSED' })
    await expect(refused).rejects.toThrow(`Expected a WebSocket, got HTTP ${status}`)
  })

  test('is given up when its signal aborts', async () => {
    const silent = createTcpServer()
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const accepted = Promise.withResolvers<void>()
    const ended = Promise.withResolvers<void>()
    silent.on('connection', (socket) => {
      accepted.resolve()
      socket.on('error', () => {})
      socket.on('close', ended.resolve).resume()
    })
    onTestFinished(() => void silent.close())
    const { client } = clientOf(`ws://127.0.0.1:${(silent.address() as AddressInfo).port}/mcp`)
    const giving = new AbortController()
    const opening = client.open({ message() {} }, giving.signal)
    await accepted.promise
    giving.abort(new Error('too late'))
    await expect(opening).rejects.toThrow('too late')
    await ended.promise
  })

  test.each([
    ['http://127.0.0.1/mcp', {}, 'ws or wss'],
    ['nonsense', {}, 'ws or wss'],
    ['ws://user:secret@127.0.0.1/mcp', {}, 'without credentials'],
    ['ws://127.0.0.1/mcp', { 'Sec-WebSocket-Protocol': 'x' }, 'set by the protocol'],
    ['ws://127.0.0.1/mcp', { 'x-team': 'a\nb' }, 'characters'],
  ])('is not tried with %s %o', (url, headers, message) => {
    expect(() => clientOf(url, {}, headers as Record<string, string>)).toThrow(message)
  })
})

describe('a connection', () => {
  test('splits batches, and continues after input that is not a message', async () => {
    const { peer, wire, events } = await connected()
    peer.send('[{"jsonrpc":"2.0","method":"a"},{"jsonrpc":"2.0","method":"b"}]')
    peer.send('nonsense')
    peer.send('{"jsonrpc":"2.0","method":"c"}')
    await wire.untilReceived(3)
    expect(events).toEqual([{ kind: 'output_discarded', backend: 'remote', reason: 'not_a_message' }])
  })

  test.each(['"result":{},"error":{}', '"more":1', '"result":NaN'])(
    'fails the request whose response has %s',
    async (members) => {
      const { peer, wire } = await connected()
      peer.send(`{"jsonrpc":"2.0","id":7,${members}}`)
      await wire.untilReceived(1)
      expect(wire.frames.map(({ message }) => message)).toMatchObject([{ kind: 'error', id: requestId(7) }])
    },
  )

  test('refuses a malformed request, in its version', async () => {
    const { peer } = await connected()
    const answers: string[] = []
    peer.on('message', (data: Buffer) => answers.push(data.toString()))
    peer.send('{"jsonrpc":"2.0","id":1,"method":"ask","params":1}')
    peer.send('{"jsonrpc":"3.0","id":2,"method":"ask","params":1}')
    await eventually(() => expect(answers).toHaveLength(2))
    expect(answers.map((text) => JSON.parse(text) as unknown)).toMatchObject([
      { jsonrpc: '2.0', id: 1, error: { code: -32600 } },
      { jsonrpc: '3.0', id: 2, error: { code: -32600, title: expect.any(String) as unknown } },
    ])
  })

  test.each([
    ['closes', (peer: Peer) => peer.close(1013, 'try later'), /closed with 1013: "try later"/],
    ['vanishes', (peer: Peer) => peer.terminate(), /closed with 1006/],
    ['sends a binary frame', (peer: Peer) => peer.send(Buffer.from('{}')), /closed with 1003/],
    [
      'sends a message that is too large',
      (peer: Peer) => peer.send('x'.repeat(2_000)),
      /closed with 1006: Max payload/,
    ],
  ])('ends when its server %s', async (_, act, message) => {
    const { peer, transport } = await connected({ body: 1_000 })
    act(peer)
    const error = await transport.closed
    expect(error).toMatchObject({ code: 'BACKEND_EXITED' })
    expect(error?.message).toMatch(message)
  })

  test('to a server that has vanished is closed because of its silence', async () => {
    const { server, transport } = await connected({ streamKeepAliveMs: 20, stalledMs: 60 })
    for (const socket of server.sockets) socket.pause()
    expect(await transport.closed).toMatchObject({ code: 'BACKEND_EXITED' })
    for (const socket of server.sockets) socket.resume()
  })

  test('stays open while its server answers pings', async () => {
    const { transport, wire, peer } = await connected({ streamKeepAliveMs: 10, stalledMs: 2_000 })
    let pings = 0
    peer.on('ping', () => (pings += 1))
    await eventually(() => expect(pings).toBeGreaterThan(10))
    await transport.send({ kind: 'notification', dialect: '2.0', method: 'still', params: undefined })
    await wire.untilReceived(1)
  })
})

type Peer = EchoServer['clients'] extends ReadonlySet<infer Client> ? Client : never
