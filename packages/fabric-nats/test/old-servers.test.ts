import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { Transform } from 'node:stream'
import { eventually, type NatsServer, startNatsServer } from '@junctor/testkit'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { joinCluster, leaveCluster } from './nats-cluster.ts'

let server: NatsServer

beforeAll(async () => {
  server = await startNatsServer()
})

afterAll(() => server.stop())

/** A NATS server whose first message names another version. */
async function startServerThatIs(version: string) {
  const now = { version }
  const sockets = new Set<Socket>()
  const front = createServer((client) => {
    const upstream = connect(Number(new URL(server.url).port), '127.0.0.1')
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {}).on('close', () => [client, upstream].forEach((one) => one.destroy()))
    }
    client.pipe(upstream).pipe(withVersion(now.version)).pipe(client)
  })
  front.listen(0, '127.0.0.1')
  await once(front, 'listening')
  onTestFinished(async () => {
    front.close()
    for (const socket of sockets) socket.destroy()
    await once(front, 'close')
  })
  return {
    url: `nats://127.0.0.1:${(front.address() as AddressInfo).port}`,
    /** Ends all connections; the next ones get another version. */
    become(next: string): void {
      now.version = next
      for (const socket of sockets) socket.destroy()
    },
  }
}

/** Replaces the version in each INFO: newer servers send it again when a client has connected. */
function withVersion(version: string): Transform {
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const text = chunk.toString('latin1')
      const shown = text.replaceAll(/(?<=INFO \{[^\r]*"version":")[^"]*/gu, version)
      done(null, shown === text ? chunk : Buffer.from(shown, 'latin1'))
    },
  })
}

test('a node that stores on several servers does not start with a server that confuses their writes', async () => {
  const old = await startServerThatIs('2.9.20')
  const joining = joinCluster(old, { cluster: 'old', replicas: 3 })
  await expect(joining).rejects.toMatchObject({ code: 'CONFIG_INVALID', message: expect.stringContaining('2.9.20') })
})

test('with one replica, the version does not matter', async () => {
  const old = await startServerThatIs('2.9.10')
  const node = await joinCluster(old, { cluster: 'single' })
  onTestFinished(() => leaveCluster(node))
  await node.fabric.store('s', 60_000).put('key', 1)
  expect(node.fabric.gauges().problem).toBeUndefined()
})

test('a node that continues at such a server is not ready, until it is at a newer one', async () => {
  const changing = await startServerThatIs('2.15.1')
  const node = await joinCluster(changing, { cluster: 'changing', replicas: 3 })
  onTestFinished(() => leaveCluster(node))
  changing.become('2.9.20')
  const old = expect.stringContaining('expected nats-server 2.9.21')
  await eventually(() => expect(node.fabric.gauges().problem).toEqual(old))
  changing.become('2.15.1')
  await eventually(() => expect(node.fabric.gauges().problem).not.toEqual(old))
})
