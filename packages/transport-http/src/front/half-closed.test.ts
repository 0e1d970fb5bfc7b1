import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { eventually } from '@junctor/testkit'
import { expect, test } from 'vitest'
import { startFront } from '../../test/front-fixture.ts'
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
