import type { Lease, Queue } from '@junctor/contracts'
import type { JsonValue } from '@junctor/jsonrpc'
import { describe, expect, test } from 'vitest'
import { type CreateFabrics, pairForEachTest } from './fabric-pair.ts'

const minute = 60_000

/** A signal that never aborts. */
function forever(): AbortSignal {
  return new AbortController().signal
}

async function hold<T>(queue: Queue<T>, id: string, value: T): Promise<Lease<T>> {
  const held = await queue.hold(id, value)
  if (held.kind !== 'lent') throw new Error(`expected a loan, got ${held.kind}`)
  return held.lease
}

async function takePushed<T>(queue: Queue<T>, id: string, value: T): Promise<Lease<T>> {
  await queue.push(id, value)
  return (await queue.take(forever())) as Lease<T>
}

/** The tests of queues: order, leases, and items that are taken once. */
export function describeFabricQueues(create: CreateFabrics): void {
  const pair = pairForEachTest(create)

  test('an item that one node pushes is taken by the other', async () => {
    await pair.near.queue('q', minute).push('job-1', { tool: 'echo' })
    const lease = await pair.far.queue('q', minute).take(forever())
    expect(lease).toMatchObject({ id: 'job-1', value: { tool: 'echo' } })
  })

  test('items are taken in the order in which they were pushed', async () => {
    const queue = pair.near.queue<number>('q', minute)
    for (let n = 0; n < 5; n += 1) await queue.push(`${n}`, n)
    const values: unknown[] = []
    for (let n = 0; n < 5; n += 1) values.push((await queue.take(forever()))?.value)
    expect(values).toEqual([0, 1, 2, 3, 4])
  })

  test('a taker waits for an item', async () => {
    const taken = pair.far.queue('q', minute).take(forever())
    await pair.near.queue('q', minute).push('id', 'value')
    expect(await taken).toMatchObject({ id: 'id', value: 'value' })
  })

  test('each item goes to one taker', async () => {
    const queues = [pair.near.queue<number>('q', minute), pair.far.queue<number>('q', minute)]
    const takes = Array.from({ length: 10 }, () => queues.map((queue) => queue.take(forever()))).flat()
    for (let n = 0; n < 20; n += 1) await queues[n % 2]?.push(`${n}`, n)
    const leases = await Promise.all(takes)
    expect(new Set(leases.map((lease) => lease?.id)).size).toBe(20)
  })

  test('queues are kept apart', async () => {
    await pair.near.queue('one', minute).push('id', 1)
    await pair.near.queue('two', minute).push('id', 2)
    expect(await pair.far.queue('two', minute).take(forever())).toHaveProperty('value', 2)
  })

  test('a second push of an id is ignored, also while the first is on loan', async () => {
    const queue = pair.near.queue<string>('q', minute)
    await queue.push('id', 'first')
    await queue.push('id', 'second')
    const lease = await queue.take(forever())
    await queue.push('id', 'third')
    await queue.push('next', 'next')
    expect(lease).toHaveProperty('value', 'first')
    expect(await queue.take(forever())).toHaveProperty('id', 'next')
  })

  test('an item that is done is not taken again', async () => {
    const queue = pair.near.queue<string>('q', minute)
    await queue.push('id', 'value')
    const lease = await queue.take(forever())
    expect(await lease?.extend()).toBe(true)
    expect(await lease?.done()).toBe(true)
    await queue.push('next', 'value')
    expect(await queue.take(forever())).toHaveProperty('id', 'next')
    expect(await lease?.done()).toBe(false)
  })

  test('an id may be pushed again when its item is done', async () => {
    const queue = pair.near.queue<string>('q', minute)
    await queue.push('id', 'first')
    const first = (await queue.take(forever())) as Lease<string>
    await first.done()
    await queue.push('id', 'second')
    const second = (await pair.far.queue<string>('q', minute).take(forever())) as Lease<string>
    expect(second).toMatchObject({ id: 'id', value: 'second' })
    expect(second.fence).toBeGreaterThan(first.fence)
  })

  describe.each([
    ['taken', takePushed],
    ['held', hold],
  ])('an item that was %s', (_how, lend) => {
    test('is taken again when it is released, with a higher fence', async () => {
      const first = await lend(pair.near.queue<string>('q', minute), 'id', 'value')
      await first.release()
      const second = (await pair.far.queue<string>('q', minute).take(forever())) as Lease<string>
      expect(second).toMatchObject({ id: 'id', value: 'value' })
      expect(second.fence).toBeGreaterThan(first.fence)
      expect(await first.extend()).toBe(false)
      expect(await first.done()).toBe(false)
      expect(await second.done()).toBe(true)
    })

    test('is not taken before the delay with which it is released', async () => {
      const queue = pair.near.queue<string>('q', minute)
      const first = await lend(queue, 'id', 'value')
      await queue.push('next', 'value')
      const began = performance.now()
      await first.release(600)
      expect(await queue.take(forever())).toHaveProperty('id', 'next')
      const second = (await pair.far.queue<string>('q', minute).take(forever())) as Lease<string>
      expect(performance.now() - began).toBeGreaterThan(550)
      expect(second.id).toBe('id')
      expect(second.fence).toBeGreaterThan(first.fence)
      expect(await second.done()).toBe(true)
    })

    test('goes to a waiting taker when its holder does not extend its loan', async () => {
      const first = await lend(pair.near.queue<string>('short', 100), 'id', 'value')
      const second = (await pair.far.queue<string>('short', 100).take(forever())) as Lease<string>
      expect(second.id).toBe('id')
      expect(second.fence).toBeGreaterThan(first.fence)
      expect(await first.extend()).toBe(false)
      expect(await first.done()).toBe(false)
      await first.release()
      expect(await second.done()).toBe(true)
    })
  })

  test('a held item is on loan from the start, and no other taker gets it', async () => {
    const queue = pair.near.queue<JsonValue>('q', minute)
    const taken = pair.far.queue<JsonValue>('q', minute).take(forever())
    const lease = await hold(queue, 'held', { tool: 'echo' })
    expect(lease).toMatchObject({ id: 'held', value: { tool: 'echo' } })
    await queue.push('next', 'next')
    expect(await taken).toHaveProperty('id', 'next')
    expect(await lease.extend()).toBe(true)
    expect(await lease.done()).toBe(true)
    expect(await lease.done()).toBe(false)
    expect(await lease.extend()).toBe(false)
    await lease.release()
    await queue.push('last', 'last')
    expect(await queue.take(forever())).toHaveProperty('id', 'last')
  })

  test('many items are held at the same time, and each ends independently', async () => {
    const queue = pair.near.queue<number>('q', minute)
    const leases = await Promise.all(Array.from({ length: 100 }, (_, n) => hold(queue, `${n}`, n)))
    const kept = leases.filter((_, n) => n % 10 === 0)
    const others = leases.filter((lease) => !kept.includes(lease))
    expect(await Promise.all(others.map((lease) => lease.done()))).not.toContain(false)
    await Promise.all(kept.map((lease) => lease.release()))
    const taken = await Promise.all(kept.map(() => pair.far.queue<number>('q', minute).take(forever())))
    expect(new Set(taken.map((lease) => lease?.value))).toEqual(new Set(kept.map(({ value }) => value)))
  })

  test('a taker whose signal aborts gets nothing and takes nothing', async () => {
    const queue = pair.near.queue('q', minute)
    const controller = new AbortController()
    const taken = queue.take(controller.signal)
    controller.abort()
    expect(await taken).toBeUndefined()
    expect(await queue.take(AbortSignal.abort())).toBeUndefined()
    await queue.push('id', 'value')
    expect(await queue.take(forever())).toHaveProperty('id', 'id')
  })
}
