import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { type HttpAnswer, startHttpServer } from './start-http-server.ts'

async function start(answer: HttpAnswer) {
  const started = await startHttpServer(answer)
  onTestFinished(() => started.close())
  return started
}

/** Collects what nobody has handled, in place of the test runner. */
function collectUnhandled(): readonly unknown[] {
  const listeners = process.listeners('unhandledRejection')
  const unhandled: unknown[] = []
  const collect = (error: unknown): void => void unhandled.push(error)
  process.removeAllListeners('unhandledRejection').on('unhandledRejection', collect)
  onTestFinished(() => {
    process.off('unhandledRejection', collect)
    for (const listener of listeners) process.on('unhandledRejection', listener)
  })
  return unhandled
}

/** Resolves when the connection of a request is closed, by an error too. */
const closing = (request: IncomingMessage) => new Promise((resolve) => void request.socket.once('close', resolve))

const readLater = (request: IncomingMessage) => closing(request).then(() => text(request))

test.each([
  ['before any of its body is read', 0, readLater],
  ['before the first half of its body is read', 50, readLater],
  ['before its whole body is read', 100, readLater],
  ['while its body is read', 50, text],
] satisfies [string, number, HttpAnswer][])(
  'a client that leaves %s has ended its request',
  async (_when, sent, read) => {
    const unhandled = collectUnhandled()
    const [received, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const { port, sockets } = await start(async (request) => {
      received.resolve()
      await read(request).finally(ended.resolve)
    })
    const socket = connect(port, '127.0.0.1')
    socket.write(`POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n${'x'.repeat(sent)}`)
    await received.promise
    socket.destroy()
    await ended.promise
    await turn()
    expect(unhandled).toEqual([])
    await expect.poll(() => sockets.size).toBe(0)
  },
)

test.each([
  ['at once', () => Promise.reject(new Error('a fault'))],
  [
    'without a promise',
    () => {
      throw new Error('a fault')
    },
  ],
  ['when its answer is sent, and its client has left', leavesLate],
] satisfies [string, HttpAnswer][])('an answer that fails %s is an unhandled rejection', async (_when, answer) => {
  const unhandled = collectUnhandled()
  const { origin } = await start(answer)
  await fetch(origin, { headers: { connection: 'close' } }).then(
    (answered) => answered.text(),
    () => {},
  )
  await expect.poll(() => unhandled).toEqual([new Error('a fault')])
})

async function leavesLate(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const closed = closing(request)
  response.end('answered')
  await closed
  throw new Error('a fault')
}

test('closing ends requests in flight, and connections that were upgraded', async () => {
  const { server, port, close } = await start(() => {})
  server.on('upgrade', (_request, socket) => socket.write('upgraded'))
  const clients = ['', 'connection: upgrade\r\nupgrade: x\r\n'].map((more) => {
    const client = connect(port, '127.0.0.1').on('error', () => {})
    client.write(`GET / HTTP/1.1\r\nhost: x\r\n${more}\r\n`)
    return client
  })
  const [upgraded] = await Promise.all([once(clients[1] as Socket, 'data'), once(server, 'request')])
  expect(String(upgraded)).toBe('upgraded')
  const closed = clients.map((client) => once(client, 'close'))
  await close()
  await Promise.all(closed)
  await close()
})
