import type { Outcome } from '@junctor/exchange'
import { payloadOf } from '@junctor/jsonrpc'
import { createRequest, recordExchange } from '@junctor/testkit'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createMemoryBus } from './memory-bus.ts'
import { createMemoryFabric } from './memory-fabric.ts'

const signal = new AbortController().signal

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  vi.useRealTimers()
})

describe('the one timer', () => {
  test('does not run while nothing expires', async () => {
    const bus = createMemoryBus()
    const fabric = createMemoryFabric(bus)
    const taken = fabric.queue('q', 1_000).take(signal)
    expect(vi.getTimerCount()).toBe(0)
    await fabric.queue('q', 1_000).push('id', 1)
    await taken
    expect(vi.getTimerCount()).toBe(0)
  })

  test('is a single one for all parts, and stops when everything has expired', async () => {
    const bus = createMemoryBus()
    const fabric = createMemoryFabric(bus)
    for (let n = 1; n <= 10; n += 1) await fabric.store(`s${n}`, n * 1_000).put('key', n)
    await fabric.log('l', { entries: 1, bytes: 1, ageMs: 60_000 }).append('key', 'x')
    expect(vi.getTimerCount()).toBe(1)
    await vi.advanceTimersByTimeAsync(11_000)
    expect(vi.getTimerCount()).toBe(1)
    await vi.advanceTimersByTimeAsync(51_000)
    expect(vi.getTimerCount()).toBe(0)
  })

  test('does not run without a node, and runs again for the next', async () => {
    const bus = createMemoryBus()
    const first = createMemoryFabric(bus)
    await first.store('s', 1_000).put('key', 1)
    await first.close()
    expect(vi.getTimerCount()).toBe(0)
    const second = createMemoryFabric(bus)
    expect(vi.getTimerCount()).toBe(1)
    expect(await second.store('s', 1_000).get('key')).toHaveProperty('value', 1)
    await second.close()
  })

  test('fires for the earliest part, not for the latest addition', async () => {
    const fabric = createMemoryFabric(createMemoryBus())
    await fabric.queue('q', 1_000).push('id', 1)
    await fabric.queue('q', 1_000).take(signal)
    const taken = fabric.queue('q', 1_000).take(signal)
    await fabric.store('s', 60_000).put('key', 1)
    await vi.advanceTimersByTimeAsync(1_000)
    expect((await taken)?.id).toBe('id')
    await fabric.close()
  })

  test('supports delays that are longer than the longest timer', async () => {
    const fabric = createMemoryFabric(createMemoryBus())
    const year = 365 * 24 * 3_600_000
    const store = fabric.store('s', year)
    await store.put('key', 1)
    await vi.advanceTimersByTimeAsync(year - 1)
    expect(await store.get('key')).toHaveProperty('value', 1)
    await vi.advanceTimersByTimeAsync(2_000)
    expect(vi.getTimerCount()).toBe(0)
    await fabric.close()
  })
})

test('a test can supply the clock', async () => {
  let now = 0
  const fabric = createMemoryFabric(createMemoryBus(() => now))
  const store = fabric.store('s', 100)
  await store.put('key', 1)
  now = 99
  expect(await store.get('key')).toHaveProperty('value', 1)
  now = 100
  expect(await store.get('key')).toBeUndefined()
  await fabric.close()
})

test('a put restarts the time to live of a record', async () => {
  const store = createMemoryFabric(createMemoryBus()).store('s', 1_000)
  await store.put('old', 1)
  await store.put('renewed', 1)
  await vi.advanceTimersByTimeAsync(900)
  await store.put('renewed', 2)
  await vi.advanceTimersByTimeAsync(900)
  expect(await store.keys('')).toEqual(['renewed'])
})

test('a log keeps the entries that are young enough', async () => {
  const log = createMemoryFabric(createMemoryBus()).log('l', { entries: 9, bytes: 99, ageMs: 1_000 })
  await log.append('key', 'old')
  await vi.advanceTimersByTimeAsync(600)
  await log.append('key', 'young')
  await vi.advanceTimersByTimeAsync(600)
  expect(await log.read('key', 0)).toEqual([{ sequence: 2, value: 'young' }])
})

describe('a loan', () => {
  test('lasts as long as it is extended', async () => {
    const queue = createMemoryFabric(createMemoryBus()).queue('q', 1_000)
    await queue.push('id', 1)
    const lease = await queue.take(signal)
    const next = queue.take(signal)
    for (let n = 0; n < 5; n += 1) {
      await vi.advanceTimersByTimeAsync(900)
      expect(await lease?.extend()).toBe(true)
    }
    await vi.advanceTimersByTimeAsync(1_000)
    expect((await next)?.id).toBe('id')
    expect(await lease?.extend()).toBe(false)
  })

  test('that has expired is over, even if no taker has taken the item since', async () => {
    const queue = createMemoryFabric(createMemoryBus()).queue('q', 1_000)
    await queue.push('id', 1)
    const lease = await queue.take(signal)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(await lease?.done()).toBe(false)
    expect((await queue.take(signal))?.id).toBe('id')
  })

  test('that has expired comes before items that were never taken, oldest first', async () => {
    const queue = createMemoryFabric(createMemoryBus()).queue('q', 1_000)
    for (const id of ['a', 'b', 'c']) await queue.push(id, 1)
    await queue.take(signal)
    await queue.take(signal)
    await vi.advanceTimersByTimeAsync(1_000)
    const ids = [await queue.take(signal), await queue.take(signal), await queue.take(signal)].map((lease) => lease?.id)
    expect(ids).toEqual(['a', 'b', 'c'])
  })
})

test('a released item is the next to be taken', async () => {
  const queue = createMemoryFabric(createMemoryBus()).queue('q', 1_000)
  for (const id of ['a', 'b']) await queue.push(id, 1)
  const lease = await queue.take(signal)
  await lease?.release()
  expect((await queue.take(signal))?.id).toBe('a')
})

test('holders of a service take turns', async () => {
  const bus = createMemoryBus()
  const fabrics = ['a', 'b', 'c'].map((node) => createMemoryFabric(bus, node))
  const done = (node: string): Outcome => ({ kind: 'complete', result: payloadOf({ node }) })
  for (const fabric of fabrics) await fabric.serve('backend', () => done(fabric.node))
  const outcomes: Outcome[] = []
  for (let n = 0; n < 6; n += 1) {
    outcomes.push(
      await createMemoryFabric(bus).call({ service: 'backend' }, createRequest('m'), recordExchange().exchange),
    )
  }
  expect(outcomes).toEqual(['a', 'b', 'c', 'a', 'b', 'c'].map(done))
})

test('watchers see a node that joins', async () => {
  const bus = createMemoryBus()
  const changes = createMemoryFabric(bus, 'a').nodes(signal)[Symbol.asyncIterator]()
  expect(await changes.next()).toHaveProperty('value', { kind: 'joined', node: 'a', about: {} })
  const next = changes.next()
  const joining = createMemoryFabric(bus, 'b')
  expect(await next).toHaveProperty('value', { kind: 'joined', node: 'b', about: {} })
  await joining.close()
  expect(await changes.next()).toHaveProperty('value', { kind: 'left', node: 'b' })
})

test('a control to a node that leaves before it is delivered is dropped', async () => {
  const bus = createMemoryBus()
  const [near, far] = [createMemoryFabric(bus, 'near'), createMemoryFabric(bus, 'far')]
  const received = vi.fn<() => void>()
  far.onControl(received)
  const sent = near.send('far', { kind: 'k', body: 1 })
  const left = far.close()
  expect(await sent).toBe(true)
  await left
  expect(received).not.toHaveBeenCalled()
})

test('when all calls are over none is kept in memory', async () => {
  const bus = createMemoryBus()
  const [near, far] = [createMemoryFabric(bus), createMemoryFabric(bus)]
  await far.serve('done', () => ({ kind: 'complete', result: payloadOf({}) }))
  await far.serve('hanging', () => new Promise<Outcome>(() => {}))
  await near.call({ service: 'done' }, createRequest('m'), recordExchange().exchange)
  const { exchange } = recordExchange()
  const hanging = near.call({ service: 'hanging' }, createRequest('m'), exchange)
  const left = near.call({ service: 'hanging' }, createRequest('m'), recordExchange().exchange)
  expect(bus.calls.size).toBe(2)
  exchange.end('cancelled')
  await hanging
  await far.close()
  await left
  expect(bus.calls.size).toBe(0)
})

test.each(['', 'UPPER', '-a', 'a b', 'a.b', 'a'.repeat(65)])('%j is not a node name', (node) => {
  expect(() => createMemoryFabric(createMemoryBus(), node)).toThrow(/expected a node name/)
})

test('a name can be used once on a bus, and again when its node has left', async () => {
  const bus = createMemoryBus()
  const fabric = createMemoryFabric(bus, 'a')
  expect(() => createMemoryFabric(bus, 'a')).toThrow(/not on the bus yet/)
  await fabric.close()
  expect(createMemoryFabric(bus, 'a').node).toBe('a')
})

test('a node without a given name gets 8 random characters', () => {
  const bus = createMemoryBus()
  const names = Array.from({ length: 100 }, () => createMemoryFabric(bus).node)
  expect(new Set(names).size).toBe(100)
  expect(names.every((name) => /^[a-z0-9]{8}$/.test(name))).toBe(true)
})
