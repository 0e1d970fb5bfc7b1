import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Lease } from '@junctor/contracts'
import { subjectsOf } from '@junctor/nats'
import { eventually, startNatsServer } from '@junctor/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { NatsQueue } from '../src/queue/nats-queue.ts'
import type { Storage } from '../src/storage/storage.ts'
import { connectStorage } from './connect-storage.ts'

// A killed server may forget that a message was removed, and which messages its consumers have delivered.

const subjects = subjectsOf('forgetful')

let folder: string
let server: Awaited<ReturnType<typeof startNatsServer>>
let storage: Storage

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'junctor-forgetful-'))
  server = await startNatsServer({ folder })
  storage = await connectStorage(server)
})

afterAll(async () => {
  await storage.connection.close()
  await server.stop()
  await rm(folder, { recursive: true, force: true })
})

function open(name: string, leaseMs: number): NatsQueue<string> {
  return new NatsQueue(storage, { subjects, name, leaseMs, check: () => {}, now: Date.now, mayTake: () => true })
}

function take(queue: NatsQueue<string>, ms: number): Promise<Lease<string> | undefined> {
  return queue.take(AbortSignal.timeout(ms))
}

const itemsOf = (name: string): string => subjects.stream('queue', name)

function storedIn(name: string, part = ''): string {
  return join(folder, 'store', 'jetstream', '$G', 'streams', itemsOf(name), part)
}

async function count(name: string): Promise<number> {
  return (await storage.manager.streams.info(itemsOf(name))).state.messages
}

test('a finished item is not lent again, although the server has forgotten that it was removed', async () => {
  const queue = open('removed', 10_000)
  await queue.push('id', 'value')
  const lease = await take(queue, 10_000)
  const stored = storedIn('removed')
  const before = join(folder, 'before')
  await server.kill()
  await cp(stored, before, { recursive: true })
  await server.restart()
  expect(await eventually(() => lease?.done())).toBe(true)
  await server.kill()
  await rm(stored, { recursive: true })
  await cp(before, stored, { recursive: true })
  await server.restart()
  expect(await eventually(() => count('removed'))).toBe(1)
  // Longer than the loan: the server delivers the item again.
  expect(await eventually(() => take(queue, 14_000))).toBeUndefined()
  await eventually(async () => expect(await count('removed')).toBe(0))
}, 60_000)

test('an item on loan is not lent to others, although the server has forgotten that it was delivered', async () => {
  const [near, far] = [open('delivered', 5_000), open('delivered', 5_000)]
  await near.push('id', 'value')
  const lease = await take(near, 5_000)
  await storage.manager.consumers.delete(itemsOf('delivered'), 'takers')
  const taken = take(far, 9_000)
  for (let beat = 0; beat < 3; beat += 1) {
    await new Promise((resolve) => setTimeout(resolve, 2_000))
    expect(await lease?.extend()).toBe(true)
  }
  expect(await lease?.done()).toBe(true)
  expect(await taken).toBeUndefined()
  await eventually(async () => expect(await count('delivered')).toBe(0))
}, 30_000)

test('an item of a lost holder is lent when its loan expires, although the server has forgotten it', async () => {
  const [near, far] = [open('gone', 2_000), open('gone', 2_000)]
  await near.push('id', 'value')
  const lease = await take(near, 5_000)
  await storage.manager.consumers.delete(itemsOf('gone'), 'takers')
  const next = await take(far, 15_000)
  expect(next?.fence).toBeGreaterThan(lease?.fence ?? Infinity)
  expect(await lease?.done()).toBe(false)
  expect(await next?.done()).toBe(true)
}, 30_000)

test('an item that a consumer has skipped is found and lent, while others are on loan', async () => {
  const queue = open('passed', 30_000)
  await queue.push('held', 'value')
  await take(queue, 5_000)
  await queue.push('passed', 'value')
  const messages = storedIn('passed', 'msgs')
  const before = join(folder, 'messages')
  await server.kill()
  await cp(messages, before, { recursive: true })
  await server.restart()
  expect(await eventually(async () => (await take(queue, 10_000))?.done())).toBe(true)
  // A server that shuts down writes down which messages its consumers have delivered.
  await server.restart()
  await server.kill()
  await rm(messages, { recursive: true })
  await cp(before, messages, { recursive: true })
  await server.restart()
  // Otherwise the item is known to be done.
  await eventually(() =>
    storage.manager.streams.purge(subjects.stream('loans', 'passed'), { filter: subjects.loan('passed', 'passed') }),
  )
  const lease = await eventually(() => take(queue, 25_000))
  expect(lease?.id).toBe('passed')
}, 60_000)
