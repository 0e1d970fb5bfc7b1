import type { JsonValue } from '@junctor/jsonrpc'
import { expect, test } from 'vitest'
import { type CreateFabrics, pairForEachTest } from './fabric-pair.ts'
import { eventually } from '../eventually.ts'

const minute = 60_000

/** The tests of stores: records that every node can read, with revisions and an end. */
export function describeFabricStores(create: CreateFabrics): void {
  const pair = pairForEachTest(create)

  test('a record that one node puts can be read by the other', async () => {
    const revision = await pair.near.store('s', minute).put('key', { a: [1, 'x'] })
    expect(await pair.far.store('s', minute).get('key')).toEqual({ value: { a: [1, 'x'] }, revision })
  })

  test.each<[string, JsonValue]>([
    ['null', null],
    ['false', false],
    ['zero', 0],
    ['an empty string', ''],
    ['an empty list', []],
  ])('%s is a value', async (_name, value) => {
    const store = pair.near.store('s', minute)
    await store.put('key', value)
    expect(await store.get('key')).toHaveProperty('value', value)
  })

  test('an unused key has no value, and can be deleted', async () => {
    const store = pair.near.store('s', minute)
    await store.delete('key')
    expect(await store.get('key')).toBeUndefined()
  })

  test.each(['default/https://id.example.com|some one', 'a.b.*.>', 'ä€😀', ' ', '%2F', '$x', 'k'.repeat(200)])(
    'any string can be a key: %j',
    async (key) => {
      await pair.near.store('s', minute).put(key, 'value')
      const store = pair.far.store('s', minute)
      expect(await store.get(key)).toHaveProperty('value', 'value')
      expect(await store.keys('')).toEqual([key])
    },
  )

  test.each([
    ['long', 'k'.repeat(2000)],
    ['long in parts', 'k.'.repeat(3000)],
    ['as long as a message', '.'.repeat(1_000_000)],
  ])('a key of a client that is %s has no value, can be deleted, and disturbs no other', async (_name, key) => {
    const store = pair.near.store('s', minute)
    await store.put('key', 'value')
    expect(await Promise.all([store.get(key), store.get('key')])).toEqual([undefined, expect.anything()])
    await store.delete(key)
    expect(await store.get('key')).toHaveProperty('value', 'value')
  })

  test('stores and keys are kept apart', async () => {
    await pair.near.store('one', minute).put('key', 1)
    await pair.near.store('two', minute).put('key', 2)
    await pair.near.store('one', minute).put('key2', 3)
    expect(await pair.far.store('one', minute).get('key')).toHaveProperty('value', 1)
    expect(await pair.far.store('two', minute).get('key')).toHaveProperty('value', 2)
    expect(await pair.far.store('two', minute).get('key2')).toBeUndefined()
  })

  test('nodes share values, never objects', async () => {
    const value = { list: [1] }
    const store = pair.near.store<{ list: number[] }>('s', minute)
    await store.put('key', value)
    const first = await store.get('key')
    first?.value.list.push(2)
    expect(value).toEqual({ list: [1] })
    expect(await pair.far.store('s', minute).get('key')).toHaveProperty('value', { list: [1] })
  })

  test('a put with the current revision succeeds, a put with an older one is a conflict', async () => {
    const [near, far] = [pair.near.store<string>('s', minute), pair.far.store<string>('s', minute)]
    const first = (await near.put('key', 'first')) as number
    const second = (await far.put('key', 'second', first)) as number
    expect(second).toBeGreaterThan(first)
    expect(await near.put('key', 'late', first)).toBe('conflict')
    expect(await near.get('key')).toEqual({ value: 'second', revision: second })
  })

  test('revision 0 requires that there is no record', async () => {
    const store = pair.near.store<string>('s', minute)
    expect(await store.put('key', 'first', 0)).toBeGreaterThan(0)
    expect(await store.put('key', 'second', 0)).toBe('conflict')
    expect(await store.get('key')).toHaveProperty('value', 'first')
  })

  test('an old revision matches no record that was put after a delete', async () => {
    const store = pair.near.store<string>('s', minute)
    const first = (await store.put('key', 'first')) as number
    await store.delete('key')
    expect(await store.put('key', 'late', first)).toBe('conflict')
    expect(await store.put('key', 'second', 0)).toBeGreaterThan(first)
    expect(await store.put('key', 'late', first)).toBe('conflict')
  })

  test('of many concurrent puts on the same revision, exactly one succeeds', async () => {
    const stores = [pair.near.store<number>('s', minute), pair.far.store<number>('s', minute)]
    const puts = Array.from({ length: 10 }, (_, n) => stores.map((store) => store.put('key', n, 0))).flat()
    const results = await Promise.all(puts)
    expect(results.filter((result) => result !== 'conflict')).toHaveLength(1)
  })

  test('keys of all nodes are listed by prefix, without expired and deleted ones', async () => {
    const [near, far] = [pair.near.store('s', minute), pair.far.store('s', minute)]
    await near.put('a/1', 1)
    await far.put('a/2', 1)
    await far.put('b/1', 1)
    await near.put('a/3', 1)
    await far.delete('a/3')
    expect((await near.keys('a/')).toSorted()).toEqual(['a/1', 'a/2'])
    expect((await near.keys('')).toSorted()).toEqual(['a/1', 'a/2', 'b/1'])
    expect(await near.keys('c')).toEqual([])
  })

  test('a record expires after its time to live, for every node and operation', async () => {
    const store = pair.near.store<string>('short', 100)
    const revision = (await store.put('key', 'first')) as number
    await eventually(async () => expect(await pair.far.store('short', 100).get('key')).toBeUndefined())
    expect(await store.keys('')).toEqual([])
    expect(await store.put('key', 'late', revision)).toBe('conflict')
    expect(await store.put('key', 'second', 0)).toBeGreaterThan(revision)
  })
}
