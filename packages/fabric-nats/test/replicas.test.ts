import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { subjectsOf } from '@junctor/nats'
import { eventually, type NatsServer, startNatsServer } from '@junctor/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createNatsLog } from '../src/nats-log.ts'
import { NatsQueue } from '../src/nats-queue.ts'
import { createNatsStore } from '../src/nats-store.ts'
import type { Storage } from '../src/storage.ts'
import { connectStorage } from './connect-storage.ts'

/** Servers of one cluster, and a node's storage at each. */
let servers: readonly NatsServer[]
let storages: readonly Storage[]

async function freePorts(count: number): Promise<readonly number[]> {
  const reserved = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'))
  await Promise.all(reserved.map((server) => once(server, 'listening')))
  const ports = reserved.map((server) => (server.address() as AddressInfo).port)
  for (const server of reserved) server.close()
  return ports
}

beforeAll(async () => {
  const ports = await freePorts(3)
  const routes = ports.map((port) => `nats://127.0.0.1:${port}`)
  const clustered = (n: number) => ['-n', `s${n}`, '--cluster_name', 'c', '--cluster', routes[n] ?? '']
  servers = await Promise.all(
    ports.map((_port, n) => startNatsServer({ args: [...clustered(n), '--routes', routes.join(',')] })),
  )
  // JetStream answers once the servers have elected a leader.
  storages = await Promise.all(
    servers.map(async (server) => ({ ...(await eventually(() => connectStorage(server))), replicas: 3 })),
  )
}, 60_000)

afterAll(async () => {
  await Promise.all(storages.map(({ connection }) => connection.close()))
  await Promise.all(servers.map((server) => server.stop()))
})

const subjects = subjectsOf('c')
const common = { subjects, check: (): void => {}, now: Date.now }

test('what one server has acknowledged, all others know at once, and a lost server takes nothing with it', async () => {
  const stores = storages.map((storage) => createNatsStore<number>(storage, { ...common, name: 's', ttlMs: 60_000 }))
  const bounds = { entries: 100, bytes: 10_000, ageMs: 60_000 }
  const logs = storages.map((storage) => createNatsLog(storage, { ...common, name: 'l', bounds }))
  const queues = storages.map((storage) => new NatsQueue<number>(storage, { ...common, name: 'q', leaseMs: 60_000 }))
  await eventually(() => stores[0]?.put('first', 0))
  await eventually(() => logs[0]?.append('first', ''))
  await eventually(() => queues[0]?.push('first', 0))
  for (let n = 0; n < 60; n += 1) {
    const [writer, reader] = [n % 3, (n + 1) % 3]
    const revision = await stores[writer]?.put('key', n)
    expect(await stores[reader]?.get('key')).toEqual({ value: n, revision })
    expect(await logs[writer]?.append('key', `${n}`)).toBe(n + 1)
    expect(await logs[reader]?.read('key', n)).toEqual([{ sequence: n + 1, value: `${n}` }])
  }
  await servers[0]?.kill()
  const entries = await eventually(() => logs[1]?.read('key', 0))
  expect(entries).toHaveLength(60)
  await eventually(async () => expect(await stores[2]?.get('key')).toHaveProperty('value', 59))
  const lease = await eventually(() => queues[1]?.take(AbortSignal.timeout(5_000)))
  expect(lease).toMatchObject({ id: 'first', value: 0 })
  expect(await lease?.done()).toBe(true)
}, 60_000)
