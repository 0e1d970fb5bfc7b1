import type { Lease } from '@junctor/contracts'
import { createChaosProxy, eventually, startNatsServer } from '@junctor/testkit'
import { expect, test } from 'vitest'
import { NatsQueue } from '../src/queue/nats-queue.ts'
import type { Storage } from '../src/storage/storage.ts'
import { connectStorage } from './connect-storage.ts'
import { storageFixture } from './storage-fixture.ts'

const fixture = storageFixture()

function open(leaseMs: number = 60_000, over: Storage = fixture.storage): NatsQueue<string> {
  return new NatsQueue(over, {
    subjects: fixture.subjects,
    name: 'q',
    leaseMs,
    check: () => {},
    now: Date.now,
    mayTake: () => true,
  })
}

/** Fails a test that would otherwise wait forever. */
const patient = (): AbortSignal => AbortSignal.timeout(10_000)

async function take(queue: NatsQueue<string>): Promise<Lease<string>> {
  const lease = await queue.take(patient())
  if (lease === undefined) throw new Error('expected an item')
  return lease
}

test('ids of any kind are kept apart', async () => {
  const queue = open()
  const ids = ['a', 'a.b', '*', '>', '', 'x y\r\n', 'a.*']
  for (const id of ids) await queue.push(id, `of ${id}`)
  for (const id of ids) expect(await take(queue)).toMatchObject({ id, value: `of ${id}` })
})

test('an id may be pushed again as soon as it is done, many times', async () => {
  const queue = open()
  let fence = 0
  for (let n = 0; n < 30; n += 1) {
    await queue.push('id', `${n}`)
    const lease = await take(queue)
    expect(lease.value).toBe(`${n}`)
    expect(lease.fence).toBeGreaterThan(fence)
    fence = lease.fence
    expect(await lease.done()).toBe(true)
  }
})

test('an extended loan lasts longer than one lease', async () => {
  const queue = open(3_000)
  await queue.push('id', 'value')
  const lease = await take(queue)
  let second: Lease<string> | undefined
  const other = new AbortController()
  const taken = open(3_000).take(other.signal)
  void taken.then((got) => (second = got))
  for (let n = 0; n < 5; n += 1) {
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    expect(await lease.extend()).toBe(true)
  }
  expect(second).toBeUndefined()
  expect(await lease.done()).toBe(true)
  other.abort()
  expect(await taken).toBeUndefined()
})

test('a holder whose item another node has cannot end that loan, even if it believes that its own is valid', async () => {
  const [trusting, other] = [open(), open(2_000)]
  await trusting.push('id', 'value')
  // From here on the server lends for 2 s.
  await other.push('id', 'value')
  const first = await take(trusting)
  const second = await take(other)
  expect(await first.done()).toBe(false)
  await first.release()
  const { state } = await fixture.storage.manager.streams.info(fixture.subjects.stream('queue', 'q'))
  expect(state.messages).toBe(1)
  expect(await second.done()).toBe(true)
})

test('concurrent requests are answered in order', async () => {
  const queue = open()
  await queue.push('id', 'value')
  const lease = await take(queue)
  expect(await Promise.all([lease.extend(), lease.extend(), lease.done(), lease.extend()])).toEqual([
    true,
    true,
    true,
    false,
  ])
})

test('items on loan to a node that leaves are taken by others immediately, and its takers get nothing', async () => {
  const [near, far] = [open(), open()]
  await near.push('id', 'value')
  const lease = await take(near)
  const waits = near.take(new AbortController().signal)
  const taken = take(far)
  await near.leave()
  expect(await waits).toBeUndefined()
  expect(await taken).toMatchObject({ id: 'id' })
  expect(await lease.done()).toBe(false)
})

test('takers that give up take nothing with them', async () => {
  const queue = open()
  for (let n = 0; n < 20; n += 1) {
    const controller = new AbortController()
    const taken = queue.take(controller.signal)
    const pushed = queue.push(`${n}`, 'value')
    setImmediate(() => controller.abort())
    const lease = await taken
    await pushed
    expect(await (lease ?? (await take(queue))).done()).toBe(true)
  }
})

test('a push whose answer is lost is in the queue once', async () => {
  const network = await createChaosProxy({ port: fixture.server.port })
  const behind = await connectStorage({ url: `nats://127.0.0.1:${network.port}` })
  const queue = open(60_000, behind)
  await queue.push('first', 'value')
  network.set('downstream', { timeout: { timeout: 0 } })
  const pushed = queue.push('second', 'value')
  expect(await take(open())).toHaveProperty('id', 'first')
  expect(await take(open())).toHaveProperty('id', 'second')
  network.set('downstream')
  await pushed
  await open().push('third', 'value')
  expect(await take(open())).toHaveProperty('id', 'third')
  await behind.connection.close()
  await network.close()
})

test('items and loans survive a crash of the server, takers wait during it, and fences still rise', async () => {
  const other = await startNatsServer()
  const there = await connectStorage(other)
  const queue = open(2_000, there)
  await queue.push('one', 'value')
  await queue.push('two', 'value')
  const first = await take(queue)
  await other.kill()
  await other.restart()
  const leases = [await eventually(() => take(queue)), await eventually(() => take(queue))]
  expect(leases.map((lease) => lease.id).toSorted()).toEqual(['one', 'two'])
  for (const lease of leases) expect(lease.fence).toBeGreaterThan(first.fence)
  expect(await first.done()).toBe(false)
  await there.connection.close()
  await other.stop()
})
