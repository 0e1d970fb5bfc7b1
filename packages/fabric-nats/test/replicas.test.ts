import { subjectsOf } from '@junctor/nats'
import { type NatsCluster, startNatsCluster } from '@junctor/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { NatsLog } from '../src/storage/nats-log.ts'
import { NatsQueue } from '../src/queue/nats-queue.ts'
import { NatsStore } from '../src/storage/nats-store.ts'
import type { Storage } from '../src/storage/storage.ts'
import { connectStorage } from './connect-storage.ts'

let cluster: NatsCluster
/** One node connected to each server. */
let storages: readonly Storage[]

beforeAll(async () => {
  cluster = await startNatsCluster(3)
  storages = await Promise.all(
    cluster.servers.map(async (server) => ({ ...(await connectStorage(server)), replicas: 3 })),
  )
}, 120_000)

afterAll(async () => {
  await Promise.all(storages.map(({ connection }) => connection.close()))
  await cluster.stop()
})

const common = { subjects: subjectsOf('c'), check: (): void => {}, now: Date.now }
const bounds = { entries: 100, bytes: 10_000, ageMs: 60_000 }

/** Repeats an operation that fails, because servers do not answer during an election. Resolves with its first answer. */
async function soon<T>(work: () => Promise<T> | undefined): Promise<T | undefined> {
  let answer: T | undefined
  const ask = async (): Promise<boolean> => {
    answer = await work()
    return true
  }
  await expect.poll(ask, { timeout: 40_000, interval: 50 }).toBe(true)
  return answer
}

test('data that one server has acknowledged are known to all others immediately, and survive its loss', async () => {
  const [near, far] = storages as readonly [Storage, Storage, Storage]
  const stores = [near, far].map((storage) => new NatsStore<number>(storage, { ...common, name: 's', ttlMs: 60_000 }))
  const logs = [near, far].map((storage) => new NatsLog(storage, { ...common, name: 'l', bounds }))
  const queues = [near, far].map(
    (storage) => new NatsQueue<number>(storage, { ...common, name: 'q', leaseMs: 60_000, mayTake: () => true }),
  )
  await soon(() => stores[0]?.put('first', 0))
  await soon(() => logs[0]?.append('first', ''))
  await soon(() => queues[0]?.push('first', 0))
  await cluster.well()
  for (let n = 0; n < 40; n += 1) {
    const [writer, reader] = [n % 2, (n + 1) % 2]
    const revision = await stores[writer]?.put('key', n)
    expect(await stores[reader]?.get('key')).toEqual({ value: n, revision })
    expect(await logs[writer]?.append('key', `${n}`)).toBe(n + 1)
    expect(await logs[reader]?.read('key', n)).toEqual([{ sequence: n + 1, value: `${n}` }])
  }
  // The nodes continue at the other servers.
  await cluster.servers[2]?.kill()
  await soon(() => stores[1]?.put('later', 1))
  expect(await soon(() => stores[0]?.get('key'))).toHaveProperty('value', 39)
  await soon(() => logs[1]?.append('later', ''))
  expect(await soon(() => logs[0]?.read('key', 0))).toHaveLength(40)
  await soon(() => queues[1]?.push('later', 1))
  const lease = await soon(() => queues[1]?.take(AbortSignal.timeout(30_000)))
  expect(lease).toMatchObject({ id: 'first', value: 0 })
  expect(await lease?.done()).toBe(true)
}, 150_000)
