import assert from 'node:assert/strict'
import { setTimeout as after } from 'node:timers/promises'
import type { Scenario } from '../scenario.ts'
import { demo } from './loud.ts'
import { type RawSocket, openSocket, requestText } from './raw-socket.ts'
import { type ProcessScene, withProcess } from './with-process.ts'

/** The number of bad clients of each kind. Together with the good ones they use all connections. */
const bad = 30
const connections = 4 * bad + 20
const limits = {
  connections,
  // All of them come from this address, and none must be closed for another.
  connectionsOfAddress: connections,
  headersTimeout: '1s',
  requestTimeout: '2s',
  keepAliveTimeout: '2s',
  // Later than the other timeouts, so that it never ends a request that is still being sent.
  stalled: '3s',
} as const
const trickleMs = 700
/** The largest memory for all clients that never read, in bytes. */
const mostHeap = 24 * 1024 * 1024

/** Clients that are as slow as possible: with their headers, their bodies, reading, and closing. */
export const slowClients: Scenario = {
  id: 'F-18',
  title: 'headers and bodies that trickle, clients that never read, connections that say nothing',
  ways: ['http'],
  heavy: true,
  run: (way) =>
    withProcess(way, { limits, backends: { demo } }, async (scene) => {
      const { gateway } = scene
      const good = await scene.http()
      const before = await gateway.inspector.heap()
      const descriptors = gateway.descriptors()
      const began = performance.now()

      const slow = await all(() => trickle(gateway.url, 'POST /mcp HTTP/1.1\r\nhost: localhost\r\nx: '))
      const bodies = await all(() => trickle(gateway.url, requestText(gateway.url, 'POST', headersFor('1000'))))
      const silent = await all(() => openSocket(gateway.url))
      const deaf = await all(() => neverRead(scene, good.session ?? ''))

      let slowest = 0
      let calls = 0
      const kept: number[] = []
      // At least one call, because on a busy machine the bad clients may be gone by now.
      do {
        const asked = performance.now()
        assert.ok(asked - began < 30_000, `bad clients are still connected after ${asked - began} ms`)
        // oxlint-disable-next-line no-await-in-loop
        const { result } = await good.request('tools/call', { name: 'demo__echo', arguments: { message: 'x' } })
        assert.ok(result)
        slowest = Math.max(slowest, performance.now() - asked)
        calls += 1
        // oxlint-disable-next-line no-await-in-loop
        if (calls % 20 === 1) kept.push((await gateway.inspector.heap()) - before)
        // oxlint-disable-next-line no-await-in-loop
        await after(20)
      } while (gateway.descriptors() > descriptors + 1)
      const seconds = (performance.now() - began) / 1_000
      const most = Math.max(...kept)
      assert.ok(most < mostHeap, `${most} bytes were kept for clients that do not read`)
      // Reads the answers now.
      for (const { socket } of deaf) socket.resume()
      await Promise.all([...slow, ...bodies, ...silent, ...deaf].map(({ closed }) => closed))
      for (const socket of [...slow, ...bodies]) assert.match(socket.received(), /^HTTP\/1\.1 408 /)
      // There are free connections again.
      assert.ok((await scene.http()).session)
      return (
        `${4 * bad} bad clients gone after ${seconds.toFixed(1)} s; meanwhile ${calls} calls of a good one, ` +
        `the slowest ${slowest.toFixed(0)} ms; at most ${(most / 1024 / 1024).toFixed(1)} MiB kept`
      )
    }),
}

const headersFor = (length: string): Readonly<Record<string, string>> => ({
  accept: 'application/json, text/event-stream',
  'content-type': 'application/json',
  'content-length': length,
})

function all(open: () => Promise<RawSocket>): Promise<readonly RawSocket[]> {
  return Promise.all(Array.from({ length: bad }, open))
}

/**
 * Sends one byte after the other, for nearly as long as the limit allows. Not longer: a client that writes to a closed
 * connection may lose the data that arrived on it before.
 */
async function trickle(url: string, start: string): Promise<RawSocket> {
  const socket = await openSocket(url)
  socket.write(start)
  const began = performance.now()
  const timer = setInterval(() => {
    if (performance.now() - began > trickleMs) clearInterval(timer)
    else socket.write('x')
  }, 50)
  return socket
}

/** Requests a large answer, and reads nothing of it. */
async function neverRead({ gateway: { url } }: ProcessScene, session: string): Promise<RawSocket> {
  const socket = await openSocket(url)
  socket.socket.pause()
  const message = 'x'.repeat(100_000)
  const call = { name: 'demo__echo', arguments: { message } }
  for (let id = 0; id < 100; id += 1) {
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: `${socket.socket.localPort} ${id}`,
      method: 'tools/call',
      params: call,
    })
    const { 'content-length': _, ...headers } = headersFor('')
    socket.write(requestText(url, 'POST', { ...headers, 'mcp-session-id': session }, body))
  }
  return socket
}
