import { once } from 'node:events'
import { type AddressInfo, connect as connectTcp, createServer, type Socket } from 'node:net'
import { eventually } from '@junctor/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { serve, type Served } from './front-fixture.ts'

/** Passes on 64 KiB, then nothing for this long, in milliseconds: about 6 MB in a second. */
const pauseMs = 10

function passSlowly(from: Socket, to: Socket): void {
  from.on('data', (chunk: Buffer) => {
    to.write(chunk)
    from.pause()
    setTimeout(() => from.resume(), pauseMs)
  })
  from.on('close', () => to.destroy())
  from.on('error', () => {})
}

/** A slow network in front of a port of this machine, ended after the test. Returns the port of its other end. */
async function slowNetworkTo(port: number): Promise<number> {
  const wires = new Set<Socket>()
  const network = createServer((near) => {
    const far = connectTcp(port, '127.0.0.1')
    wires.add(near).add(far)
    passSlowly(near, far)
    passSlowly(far, near)
  })
  network.listen(0, '127.0.0.1')
  await once(network, 'listening')
  onTestFinished(() => {
    for (const wire of wires) wire.destroy()
    network.close()
  })
  return (network.address() as AddressInfo).port
}

const initialize = { jsonrpc: '2.0', id: 0, method: 'initialize', params: { protocolVersion: '2025-11-25' } }

/** A client with a session behind a slow network, and the next text that it receives, or how it was closed. */
async function openFar({ connect, port }: Served) {
  const client = await connect({ port: await slowNetworkTo(port) })
  client.send(initialize)
  await eventually(() => expect(client.texts).toHaveLength(2))
  const next = async (): Promise<unknown> => {
    const message = once(client.socket, 'message').then(([data]) => String(data))
    return Promise.race([message, client.closed])
  }
  return { send: client.send, next }
}

test('a client that reads a long text for longer than it may be silent gets all of it', async () => {
  const served = await serve({ limits: { streamKeepAliveMs: 20, stalledMs: 1_000 } })
  const client = await openFar(served)
  const text = client.next()
  const long = `{"jsonrpc":"2.0","method":"x","params":{"text":"${'x'.repeat(16_000_000)}"}}`
  void served.front.streams[0]?.send(long, false)
  expect(await text).toHaveLength(long.length)
})

test('a client that sends a long text for longer than it may be silent gets its answer', async () => {
  const client = await openFar(await serve({ limits: { streamKeepAliveMs: 20, stalledMs: 200 } }))
  const answer = client.next()
  client.send({ jsonrpc: '2.0', id: 1, method: 'echo', params: { text: 'x'.repeat(3_500_000) } })
  expect(await answer).toBe('{"jsonrpc":"2.0","id":1,"result":{"method":"echo"}}')
})

test('a client that stops to read a long text is closed, also after a silence', async () => {
  const { front, open } = await serve({ limits: { streamKeepAliveMs: 300, stalledMs: 50 } })
  const client = await open()
  await once(client.socket, 'ping')
  client.socket.pause()
  void front.streams[0]?.send(`"${'x'.repeat(16_000_000)}"`, false)
  await eventually(() => expect(front.ended).toEqual(['disconnected']))
})
