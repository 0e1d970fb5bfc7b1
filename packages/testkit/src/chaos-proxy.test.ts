import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { type ChaosProxy, createChaosProxy } from './chaos-proxy.ts'
import { eventually } from './eventually.ts'

/** A server that gives back what it gets, behind a proxy, and a client of it. */
async function startEcho(): Promise<{ proxy: ChaosProxy; client: Socket; got: () => string; open: () => Socket }> {
  const server = createServer((socket) => socket.on('error', () => {}).pipe(socket))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const proxy = await createChaosProxy({ port: (server.address() as AddressInfo).port })
  const sockets: Socket[] = []
  const open = (): Socket => {
    const socket = connect(proxy.port, '127.0.0.1')
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
  return { proxy, client, got: () => got, open }
}

/** How long an echo takes, in milliseconds. */
async function echoMs(client: Socket, got: () => string, text: string): Promise<number> {
  const began = performance.now()
  const length = got().length + text.length
  client.write(text)
  await eventually(() => expect(got().length).toBe(length))
  return performance.now() - began
}

it('without toxics carries every byte in order, and ends when one side does', async () => {
  const { client, got } = await startEcho()
  const text = Array.from({ length: 100_000 }, (_, index) => index).join(' ')
  await echoMs(client, got, text)
  expect(got()).toBe(text)
  client.end()
  await once(client, 'close')
})

it('latency is that of its direction, and can be taken away', async () => {
  const { proxy, client, got } = await startEcho()
  proxy.set('upstream', { latency: { latency: 80, jitter: 10 } })
  expect(await echoMs(client, got, 'late')).toBeGreaterThan(65)
  proxy.set('upstream')
  expect(await echoMs(client, got, 'soon')).toBeLessThan(65)
  expect(got()).toBe('latesoon')
})

it('bandwidth and slicer take their time, and change nothing', async () => {
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

it('limit_data closes after so many bytes', async () => {
  const { proxy, client, got } = await startEcho()
  proxy.set('downstream', { limit_data: { bytes: 3 } })
  client.write('abcdef')
  await once(client, 'close')
  expect(got()).toBe('abc')
})

it('timeout is a black hole', async () => {
  const { proxy, client, got } = await startEcho()
  proxy.set('upstream', { timeout: { timeout: 0 } })
  client.write('swallowed')
  const other = proxy.opened
  proxy.set('upstream', { timeout: { timeout: 50 } })
  const began = performance.now()
  await once(client, 'close')
  expect(performance.now() - began).toBeGreaterThan(40)
  expect(got()).toBe('')
  expect(other).toBe(1)
})

it('is down and up at the same port', async () => {
  const { proxy, client, open } = await startEcho()
  const closed = once(client, 'close')
  await proxy.down()
  await closed
  expect(proxy.connections).toBe(0)
  expect(await once(open(), 'error')).toMatchObject([{ code: 'ECONNREFUSED' }])
  await proxy.up()
  await once(open(), 'connect')
})
