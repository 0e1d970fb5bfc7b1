import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { eventually } from '@junctor/testkit'
import { describe, expect, test } from 'vitest'
import { startFront } from '../../test/front-fixture.ts'
import type { FixtureGateway } from '../../test/gateway-fixture.ts'
import { closed, sendRaw } from '../../test/raw-fixture.ts'

test('a client that ends its side still gets the answers that it waits for', async () => {
  const { gateway, port } = await startFront()
  const socket = await sendRaw(gateway, port, 2)
  const rounds = [await gateway.round(), await gateway.round()]
  const received = text(socket.end())
  socket.once('data', () => rounds.forEach(({ sink }, index) => void sink.send(`{"answer":${index}}`, true)))
  expect(await received).toMatch(/^HTTP\/1.1 100 Continue\r\n\r\n[^]*HTTP\/1.1 200 [^]*{"answer":0}[^]*{"answer":1}$/)
  expect(rounds.flatMap(({ ownerCalls }) => ownerCalls)).not.toContain('lost')
})

test('a client that ends its side still gets the rest of a stream', async () => {
  const { gateway, port } = await startFront()
  const socket = await sendRaw(gateway, port)
  const { sink } = await gateway.round()
  sink.open()
  await once(socket, 'data')
  const received = text(socket.end())
  await once(socket, 'data')
  void sink.send('{"rest":1}', true)
  expect(await received).toMatch(/^[^]*: keep-alive[^]*data: {"rest":1}[^]*0\r\n\r\n$/)
})

describe('a client that ends its side while it is authenticated', () => {
  test('still gets its answer', async () => {
    const { gateway, socket, admit } = await unknown()
    const received = text(socket.end())
    await admit()
    void (await gateway.round()).sink.send('{"late":1}', true)
    expect(await received).toMatch(/{"late":1}$/)
  })

  test('is noticed when it is gone', async () => {
    const { gateway, socket, admit } = await unknown()
    socket.destroy()
    await admit()
    const { ownerCalls } = await gateway.round()
    await eventually(() => expect(ownerCalls).toContain('lost'))
  })
})

/** A client that sent a call, and is authenticated at the end of `admit`. */
async function unknown(): Promise<{ gateway: FixtureGateway; socket: Socket; admit: () => Promise<void> }> {
  const { gateway, port, url } = await startFront()
  const authenticate = gateway.authenticate.bind(gateway)
  const known = Promise.withResolvers<void>()
  gateway.authenticate = (head) => {
    gateway.authenticate = authenticate
    return known.promise.then(() => authenticate(head))
  }
  const socket = await sendRaw(gateway, port)
  const admit = async (): Promise<void> => {
    // By the answer to a later request, all that came before has arrived.
    await fetch(`${url}/nowhere`)
    known.resolve()
  }
  return { gateway, socket, admit }
}

test('a client that ends its side and still reads is soon probed rarely', async () => {
  const { gateway, port } = await startFront()
  const first = await probed(gateway, port)
  const second = await probed(gateway, port)
  // The second has had all its soon probes since the first had its own.
  for (const { sink } of [await gateway.round(), await gateway.round()]) void sink.send('{"late":1}', true)
  for (const { received } of [first, second]) {
    expect(await received).toMatch(/^(HTTP\/1.1 100 Continue\r\n\r\n){4}HTTP\/1.1 200 [^]*{"late":1}$/)
  }
})

/** Sends a call, and ends its side. Resolves after four probes, with what will have been received at the end. */
async function probed(gateway: FixtureGateway, port: number): Promise<{ received: Promise<string> }> {
  const socket = await sendRaw(gateway, port)
  const received = text(socket.end())
  while (socket.bytesRead < 4 * 'HTTP/1.1 100 Continue\r\n\r\n'.length) await once(socket, 'data')
  return { received }
}

test('a client that ends its side is taken for gone by an endless stream', async () => {
  const { gateway, port } = await startFront()
  const { id } = gateway.open('2025-11-25')
  const socket = connect(port, '127.0.0.1').resume()
  socket.end(`GET /mcp HTTP/1.1\r\nhost: 127.0.0.1\r\naccept: text/event-stream\r\nmcp-session-id: ${id}\r\n\r\n`)
  expect(await gateway.round().then(async ({ ownerCalls }) => (await closed(socket), ownerCalls))).toEqual(['lost'])
})

test.each([['held'], ['streaming']])('a client that is gone is noticed soon: %s', async (state) => {
  const { gateway, port } = await startFront()
  const socket = await sendRaw(gateway, port)
  const round = await gateway.round()
  if (state === 'streaming') {
    round.sink.open()
    await once(socket, 'data')
  }
  socket.destroy()
  await eventually(() => expect(round.ownerCalls.includes('lost')).toBe(true))
})
