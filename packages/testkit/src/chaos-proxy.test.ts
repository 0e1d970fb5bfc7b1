import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { type ChaosProxy, createChaosProxy } from './chaos-proxy.ts'
import { eventually } from './eventually.ts'

/** A server behind a proxy, and a client of it. By default the server sends back its input. */
async function startEcho(serve: (socket: Socket) => void = (socket) => void socket.pipe(socket)): Promise<{
  proxy: ChaosProxy
  client: Socket
  got: () => string
  received: () => string
  open: (allowHalfOpen?: boolean) => Socket
}> {
  let received = ''
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('data', (bytes: Buffer) => (received += bytes.toString()))
    serve(socket.on('error', () => {}))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const proxy = await createChaosProxy({ port: (server.address() as AddressInfo).port })
  const sockets: Socket[] = []
  const open = (allowHalfOpen = false): Socket => {
    const socket = connect({ port: proxy.port, host: '127.0.0.1', allowHalfOpen })
    socket.on('error', () => {})
    sockets.push(socket)
    return socket
  }
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy()
    await proxy.close()
    server.close()
    await once(server, 'close')
  })
  const client = open()
  let got = ''
  client.on('data', (bytes: Buffer) => (got += bytes.toString()))
  await once(client, 'connect')
  return { proxy, client, got: () => got, received: () => received, open }
}

/** How long an echo takes, in milliseconds. */
async function echoMs(client: Socket, got: () => string, text: string): Promise<number> {
  const began = performance.now()
  const length = got().length + text.length
  client.write(text)
  await eventually(() => expect(got().length).toBe(length))
  return performance.now() - began
}

it('without toxics every byte is carried in order, and the connection ends when one side closes', async () => {
  const { client, got } = await startEcho()
  const text = Array.from({ length: 100_000 }, (_, index) => index).join(' ')
  await echoMs(client, got, text)
  expect(got()).toBe(text)
  client.end()
  await once(client, 'close')
})

it('the end of one direction alone is carried', async () => {
  const { received, open } = await startEcho((socket) => void socket.end())
  const client = open(true).resume()
  await once(client, 'end')
  for (const expected of ['still', 'still here']) {
    client.write(expected.slice(received().length))
    await eventually(() => expect(received()).toBe(expected))
  }
  client.end()
  await once(client, 'close')
})

it('latency applies to its direction, and can be removed', async () => {
  const { proxy, client, got } = await startEcho()
  proxy.set('upstream', { latency: { latency: 80, jitter: 10 } })
  expect(await echoMs(client, got, 'late')).toBeGreaterThan(65)
  // Longer than the test waits for an echo.
  proxy.set('upstream', { latency: { latency: 60_000 } })
  proxy.set('upstream')
  await echoMs(client, got, 'soon')
  expect(got()).toBe('latesoon')
})

it('bandwidth and slicer delay, and change no byte', async () => {
  const { proxy, client, got } = await startEcho()
  proxy.set('downstream', { bandwidth: { rate: 100 } })
  expect(await echoMs(client, got, 'x'.repeat(20_000))).toBeGreaterThan(180)
  proxy.set('downstream', { slicer: { averageSize: 1, delay: 5 } })
  expect(await echoMs(client, got, 'y'.repeat(20))).toBeGreaterThan(80)
  expect(got()).toBe('x'.repeat(20_000) + 'y'.repeat(20))
})

it('reset_peer resets', async () => {
  const { proxy, client } = await startEcho()
  proxy.set('downstream', { reset_peer: { timeout: 0 } })
  const failed = once(client, 'error')
  client.write('x')
  expect(await failed).toMatchObject([{ code: 'ECONNRESET' }])
})

it('limit_data closes after this many bytes', async () => {
  const { proxy, client, got } = await startEcho()
  proxy.set('downstream', { limit_data: { bytes: 3 } })
  client.write('abcdef')
  await once(client, 'close')
  expect(got()).toBe('abc')
})

it('half_close ends one direction, and the other continues', async () => {
  const { proxy, received, open } = await startEcho()
  const client = open(true)
  let got = ''
  client.on('data', (bytes: Buffer) => (got += bytes.toString()))
  client.write('before')
  await eventually(() => expect(got).toBe('before'))
  const ended = once(client, 'end')
  proxy.set('downstream', { half_close: { timeout: 0 } })
  await ended
  for (const [index, all] of ['before after', 'before after all'].entries()) {
    client.write(index === 0 ? ' after' : ' all')
    await eventually(() => expect(received()).toBe(all))
  }
  expect(got).toBe('before')
  client.end()
  await once(client, 'close')
})

it('timeout is a black hole', async () => {
  const { proxy, client, got } = await startEcho()
  proxy.set('upstream', { timeout: { timeout: 0 } })
  client.write('swallowed')
  proxy.set('upstream', { timeout: { timeout: 50 } })
  const began = performance.now()
  await once(client, 'close')
  expect(performance.now() - began).toBeGreaterThan(40)
  expect(got()).toBe('')
  expect(proxy.opened).toBe(1)
})

it('down and up use the same port', async () => {
  const { proxy, client, open } = await startEcho()
  const closed = once(client, 'close')
  await proxy.down()
  await closed
  expect(proxy.connections).toBe(0)
  expect(await once(open(), 'error')).toMatchObject([{ code: 'ECONNREFUSED' }])
  await proxy.up()
  await once(open(), 'connect')
})
