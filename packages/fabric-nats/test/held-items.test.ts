import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import type { Lease } from '@junctor/contracts'
import { subjectsOf } from '@junctor/nats'
import { createChaosProxy, eventually, startNatsServer } from '@junctor/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { NatsQueue } from '../src/queue/nats-queue.ts'
import type { Storage } from '../src/storage/storage.ts'
import { connectStorage } from './connect-storage.ts'

// What a node holds, when that node, or the server, is lost at any moment.

const subjects = subjectsOf('held')

let folder: string
let server: Awaited<ReturnType<typeof startNatsServer>>
let storage: Storage

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'junctor-held-'))
  server = await startNatsServer({ folder })
  storage = await connectStorage(server)
})

afterAll(async () => {
  await storage.connection.close()
  await server.stop()
  await rm(folder, { recursive: true, force: true })
})

function open(name: string, leaseMs: number, over: Storage = storage): NatsQueue<string> {
  return new NatsQueue(over, { subjects, name, leaseMs, check: () => {}, now: Date.now, mayTake: () => true })
}

async function hold(queue: NatsQueue<string>, id: string): Promise<Lease<string>> {
  const held = await queue.hold(id, `of ${id}`)
  if (held.kind !== 'lent') throw new Error(`expected a loan, got ${JSON.stringify(held)}`)
  return held.lease
}

/** All that is lent within a time, or so many; none of it is lost meanwhile. */
async function takeAll(queue: NatsQueue<string>, ms: number, most = Infinity): Promise<readonly Lease<string>[]> {
  const signal = AbortSignal.timeout(ms)
  const leases: Lease<string>[] = []
  const beat = setInterval(() => leases.forEach((lease) => void lease.extend()), 200)
  while (leases.length < most) {
    const lease = await queue.take(signal)
    if (lease === undefined) break
    leases.push(lease)
  }
  clearInterval(beat)
  return leases
}

const heldIn = (name: string): string => subjects.stream('held', name)

/** A node that can be lost: its connection goes, without an announcement. */
async function lostSoon() {
  const network = await createChaosProxy({ port: server.port })
  const over = await connectStorage({ url: `nats://127.0.0.1:${network.port}` })
  const lose = async (): Promise<void> => {
    await over.connection.close()
    await network.close()
  }
  return { over, lose }
}

describe.concurrent('nodes that come and go', () => {
  test('unfinished items of a killed node are lent to others, finished items are not', async () => {
    const { over, lose } = await lostSoon()
    const near = open('killed', 1_500, over)
    const leases = await Promise.all(['a', 'b', 'c', 'd'].map((id) => hold(near, id)))
    await Promise.all([leases[0]?.done(), leases[2]?.done()])
    await lose()
    const far = open('killed', 1_500)
    const taken = await takeAll(far, 5_000)
    expect(taken.map(({ id, value }) => [id, value])).toEqual([
      ['b', 'of b'],
      ['d', 'of d'],
    ])
    expect(Math.min(...taken.map(({ fence }) => fence))).toBeGreaterThan(leases[1]?.fence ?? Infinity)
    await Promise.all(taken.map((lease) => lease.done()))
    // The lane is known to be empty, also to who looks at it for the first time.
    expect(await takeAll(open('killed', 1_500), 3_000)).toEqual([])
    const { state } = await storage.manager.streams.info(heldIn('killed'))
    expect(state.messages).toBe(0)
    await far.leave()
  }, 30_000)

  test('a node keeps its held items for longer than a lease, and other nodes wait', async () => {
    const [near, far] = [open('kept', 1_000), open('kept', 1_000)]
    const lease = await hold(near, 'id')
    const taken = takeAll(far, 5_000)
    for (let beat = 0; beat < 12; beat += 1) {
      await after(300)
      expect(await lease.extend()).toBe(true)
    }
    expect(await lease.done()).toBe(true)
    expect(await taken).toEqual([])
  }, 30_000)

  test('a node that was cut off for longer than a lease finds its items taken, and holds others in another lane', async () => {
    const network = await createChaosProxy({ port: server.port })
    const over = await connectStorage({ url: `nats://127.0.0.1:${network.port}` })
    const [near, far] = [open('cut', 1_000, over), open('cut', 1_000)]
    const lost = await hold(near, 'lost')
    network.set('upstream', { timeout: { timeout: 0 } })
    const taken = await takeAll(far, 4_000)
    expect(taken.map(({ id }) => id)).toEqual(['lost'])
    expect(await taken[0]?.done()).toBe(true)
    network.set('upstream')
    expect(await lost.extend().catch(() => false)).toBe(false)
    expect(await lost.done().catch(() => false)).toBe(false)
    await eventually(async () => {
      const next = await hold(near, 'next')
      expect(await next.done()).toBe(true)
    })
    expect(await takeAll(far, 2_000)).toEqual([])
    await near.leave()
    await over.connection.close()
    await network.close()
  }, 30_000)

  test('an item that is held while another node may adopt the lane is not lost', async () => {
    const tries = [700, 900, 1_000, 1_100, 1_300].map(async (silentMs) => {
      const network = await createChaosProxy({ port: server.port })
      const over = await connectStorage({ url: `nats://127.0.0.1:${network.port}` })
      const name = `late ${silentMs}`
      const [near, far] = [open(name, 1_000, over), open(name, 1_000)]
      await hold(near, 'first')
      const taken = takeAll(far, 15_000, 2)
      network.set('upstream', { timeout: { timeout: 0 } })
      await after(silentMs)
      network.set('upstream')
      // Whether or not the lane still belongs to this node, one node gets the item in the end.
      expect((await near.hold('second', 'of second')).kind).not.toBe('unknown')
      await over.connection.close()
      await network.close()
      expect((await taken).map(({ id }) => id).toSorted()).toEqual(['first', 'second'])
    })
    await Promise.all(tries)
  }, 30_000)

  test('a node holds its idle lane again before it adds an item, while other nodes look for lanes to adopt', async () => {
    const near = open('idle', 200)
    const others = [1, 2, 3].map(() => open('idle', 200))
    const taken = others.map((queue) => takeAll(queue, 6_000))
    for (let n = 0; n < 12; n += 1) {
      await (await hold(near, `${n}`)).done()
      await after(260)
    }
    expect((await Promise.all(taken)).flat()).toEqual([])
  }, 30_000)

  test('an item whose acknowledgement is lost goes to no other node while its node is present', async () => {
    const network = await createChaosProxy({ port: server.port })
    const over = await connectStorage({ url: `nats://127.0.0.1:${network.port}` })
    const [near, far] = [open('unknown', 5_000, over), open('unknown', 5_000)]
    await (await hold(near, 'first')).done()
    network.set('downstream', { timeout: { timeout: 0 } })
    const held = await near.hold('second', 'value')
    expect(held.kind).toBe('unknown')
    network.set('downstream')
    await eventually(async () => expect(await (await hold(near, 'third')).done()).toBe(true))
    await over.connection.close()
    await network.close()
    expect(await takeAll(far, 8_000)).toEqual([])
  }, 40_000)
})

test('a removed item that a killed server restores is not lent again', async () => {
  const leaseMs = 2_000
  const near = open('back', leaseMs)
  const lasting = await hold(near, 'lasting')
  for (let n = 0; n < 20; n += 1) await (await hold(near, `${n}`)).done()
  const stored = join(folder, 'store', 'jetstream', '$G', 'streams', heldIn('back'))
  const before = join(folder, 'before')
  await server.kill()
  await cp(stored, before, { recursive: true })
  await server.restart()
  await eventually(async () => expect(await lasting.extend()).toBe(true))
  await eventually(async () => expect(await lasting.done()).toBe(true))
  const count = async (): Promise<number> => (await storage.manager.streams.info(heldIn('back'))).state.messages
  await eventually(async () => expect(await count()).toBe(0))
  await server.kill()
  await rm(stored, { recursive: true })
  await cp(before, stored, { recursive: true })
  await server.restart()
  expect(await eventually(count)).toBeGreaterThan(0)
  expect(await eventually(() => takeAll(open('back', leaseMs), 3 * leaseMs))).toEqual([])
}, 60_000)

test('marks and items through a crash of the server: the lane stays the node’s', async () => {
  const near = open('crash', 10_000)
  const lease = await hold(near, 'id')
  const ending = Promise.all(
    Array.from({ length: 50 }, async (_, n) => {
      const held = await near.hold(`${n}`, 'value')
      return held.kind === 'lent' && held.lease.done().catch(() => held.lease.done())
    }),
  )
  await server.kill()
  await server.restart()
  await ending.catch(() => {})
  expect(await eventually(() => lease.extend())).toBe(true)
  expect(await eventually(() => lease.done())).toBe(true)
  const next = await eventually(() => hold(near, 'next'))
  expect(await next.done()).toBe(true)
}, 30_000)
