import { EventEmitter } from 'node:events'
import { connect as connectTcp } from 'node:net'
import { createStreamShares } from '@junctor/connection'
import { eventually } from '@junctor/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { Channel } from '../src/channel.ts'
import type { Connection } from '../src/connection.ts'
import { defaultFrontLimits } from '../src/options.ts'
import { serve } from './front-fixture.ts'

const broken = new Error('broken')
const breaks = (): never => {
  throw broken
}

/** A fake connection: the test emits its events. */
function createConnection(): { readonly socket: EventEmitter; readonly connection: Connection } {
  const nothing = (): void => {}
  const socket = Object.assign(new EventEmitter(), { resume: nothing, pause: nothing, ping: breaks, terminate: breaks })
  const wire = Object.assign(new EventEmitter(), { writableNeedDrain: false })
  return { socket, connection: { socket, wire } as unknown as Connection }
}

test('an exception of a reader in `text` or `over` is reported, and goes no further', () => {
  const { socket, connection } = createConnection()
  const failed: unknown[] = []
  const channel = new Channel(connection, defaultFrontLimits, {
    text: breaks,
    over: breaks,
    failed: (error) => void failed.push(error),
  })
  socket.emit('message', Buffer.from('one'), false)
  channel.pause()
  socket.emit('message', Buffer.from('two'), false)
  expect(() => channel.resume()).toThrow(broken)
  // The channel did not stop at the text that threw.
  socket.emit('message', Buffer.from('three'), false)
  socket.emit('close', 1006, Buffer.alloc(0))
  expect(failed).toEqual([broken, broken, broken])
})

test('an exception while a silent peer is pinged is reported', async () => {
  const { socket, connection } = createConnection()
  const { promise, resolve } = Promise.withResolvers<unknown>()
  const limits = { ...defaultFrontLimits, streamKeepAliveMs: 1 }
  const reader = { text: breaks, over() {}, failed: resolve }
  expect(new Channel(connection, limits, reader).slow).toBeUndefined()
  expect(await promise).toBe(broken)
  socket.emit('close', 1006, Buffer.alloc(0))
})

test('an exception of the front during a refusal affects only the refused connection', async () => {
  const { front, connect, open } = await serve()
  Object.assign(front, { refuse: breaks })
  await expect(connect({ protocols: ['other'] })).rejects.toThrow('socket hang up')
  expect(front.errors).toEqual([broken])
  // Before and after the check of credentials.
  await expect(connect({ headers: { origin: 'https://elsewhere.example' } })).rejects.toThrow('socket hang up')
  expect(front.errors).toEqual([broken, broken])
  const client = await open()
  client.socket.close()
  await client.closed
})

test('a connection whose setup throws is reported with its session, and closed', async () => {
  const { front, open } = await serve()
  const about: unknown[] = []
  Object.assign(front, {
    reportError: (where: string, error: unknown, more: unknown) => void about.push([where, error, more]),
  })
  const client = await open()
  client.send({ jsonrpc: '2.0', id: 1, method: 'throw' })
  expect(await client.closed).toMatchObject({ code: 1011 })
  const session = expect.any(String)
  expect(about).toEqual([['connection', new Error('a bug'), { transport: 'websocket', session }]])
})

test('a client that vanishes during its admission leaves nothing behind', async () => {
  const shares = createStreamShares({ streamsOfPrincipal: 1, streamsOfTenant: 9 })
  const { front, port, sockets, open } = await serve({ shares })
  const authenticate = front.authenticate.bind(front)
  const socket = connectTcp(port, '127.0.0.1').on('error', () => {})
  onTestFinished(() => void socket.destroy())
  front.authenticate = async (head) => {
    socket.resetAndDestroy()
    await eventually(() => expect(sockets.size).toBe(0))
    return authenticate(head)
  }
  socket.write('GET /mcp HTTP/1.1\r\nhost: localhost\r\nconnection: upgrade\r\nupgrade: websocket\r\n')
  socket.write('sec-websocket-version: 13\r\nsec-websocket-protocol: mcp\r\nauthorization: Bearer good\r\n')
  socket.write('sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n')
  await eventually(() => expect(front.heads).toHaveLength(1))
  front.authenticate = authenticate
  // Its place is free.
  await open()
})
