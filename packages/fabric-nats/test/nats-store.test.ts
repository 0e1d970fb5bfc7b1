import { eventually, startNatsServer } from '@junctor/testkit'
import { Kvm } from '@nats-io/kv'
import { beforeEach, describe, expect, test } from 'vitest'
import { NatsStore } from '../src/storage/nats-store.ts'
import type { Storage } from '../src/storage/storage.ts'
import { connectStorage } from './connect-storage.ts'
import { storageFixture } from './storage-fixture.ts'

const fixture = storageFixture()
let clock = 0

beforeEach(() => {
  clock = Date.now()
})

const options = { name: 's', ttlMs: 60_000, check: (): void => {}, now: (): number => clock }

function open(over: Storage = fixture.storage, ttlMs: number = options.ttlMs) {
  return new NatsStore<string>(over, { ...options, ttlMs, subjects: fixture.subjects })
}

test('keys may contain any text from a client', async () => {
  const store = open()
  const keys = ['plain', 'a.b', 'a.b.c', '', '.', '*', '>', 'a.>', '$KV', 'a b\r\nPUB x 1', 'ä', 'a.*']
  for (const key of keys) expect(await store.put(key, `of ${key}`, 0)).toBeTypeOf('number')
  for (const key of keys) expect(await store.get(key)).toHaveProperty('value', `of ${key}`)
  expect((await store.keys('')).toSorted()).toEqual(keys.toSorted())
  expect((await store.keys('a.')).toSorted()).toEqual(['a.*', 'a.>', 'a.b', 'a.b.c'])
  expect(await store.keys('a.b')).toHaveLength(2)
  await store.delete('*')
  await store.delete('a.>')
  expect(await store.keys('')).toHaveLength(keys.length - 2)
})

test('a record is absent from the moment it expires, not only when the server removes it', async () => {
  const store = open()
  const first = (await store.put('key', 'first')) as number
  clock += options.ttlMs - 1
  expect(await store.get('key')).toBeDefined()
  clock += 1
  expect(await store.get('key')).toBeUndefined()
  expect(await store.keys('')).toEqual([])
  expect(await store.put('key', 'late', first)).toBe('conflict')
  const both = await Promise.all([store.put('key', 'one', 0), store.put('key', 'two', 0)])
  expect(both.filter((result) => result !== 'conflict')).toHaveLength(1)
})

test('expired records do not stay on the server forever', async () => {
  await open().put('key', 'value')
  const { config } = await fixture.storage.manager.streams.info(`KV_${fixture.subjects.bucket('s')}`)
  expect(config).toMatchObject({ max_age: 120_000 * 1e6, max_msgs_per_subject: 1, allow_direct: true })
})

test('the lifetime of a bucket is extended for a longer time to live, and not shortened for a shorter one', async () => {
  await open().put('key', 'value')
  await open(fixture.storage, 90_000).put('key', 'value')
  const { config } = await fixture.storage.manager.streams.info(`KV_${fixture.subjects.bucket('s')}`)
  expect(config.max_age).toBe(150_000 * 1e6)
  await open(fixture.storage, 30_000).put('key', 'value')
  const after = await fixture.storage.manager.streams.info(`KV_${fixture.subjects.bucket('s')}`)
  expect(after.config.max_age).toBe(150_000 * 1e6)
})

test('a deleted record leaves nothing on the server', async () => {
  const store = open()
  await store.put('key', 'value')
  await store.delete('key')
  const { state } = await fixture.storage.manager.streams.info(`KV_${fixture.subjects.bucket('s')}`)
  expect(state.messages).toBe(0)
})

test('a store is a bucket for the key-value clients of NATS, which can read no value', async () => {
  const revision = await open().put('key', 'value')
  const bucket = await new Kvm(fixture.storage.connection).open(fixture.subjects.bucket('s'))
  const entry = await bucket.get('key')
  expect(entry?.string()).not.toContain('value')
  expect(entry?.revision).toBe(revision)
})

describe('a value that is too large for one message', () => {
  // More than four messages of 1 MiB, and characters of two bytes at odd positions.
  const large = `x${'ä'.repeat(2_200_000)}`

  /** The number of pieces on the server. */
  async function pieces(): Promise<number> {
    const { state } = await fixture.storage.manager.streams.info(fixture.subjects.stream('pieces', 'kv s'))
    return state.messages
  }

  test('leaves no pieces when it is replaced', async () => {
    const store = open()
    const first = (await store.put('key', large, 0)) as number
    const second = (await store.put('key', large, first)) as number
    expect(await pieces()).toBe(5)
    expect(await store.get('key')).toEqual({ value: large, revision: second })
    await store.put('key', 'small', second)
    expect(await pieces()).toBe(0)
  })

  test('is stored in pieces, and returned unchanged', async () => {
    const store = open()
    const revision = await store.put('key', large, 0)
    expect(await store.get('key')).toEqual({ value: large, revision })
    expect(await pieces()).toBe(5)
    expect(await store.keys('')).toEqual(['key'])
    expect(await store.put('key', 'small', Number(revision))).toBeTypeOf('number')
    expect(await store.get('key')).toHaveProperty('value', 'small')
  })

  test('leaves nothing on the server when it is deleted, or was a conflict', async () => {
    const store = open()
    await store.put('key', large, 0)
    expect(await store.put('key', large, 0)).toBe('conflict')
    expect(await pieces()).toBe(5)
    await store.delete('key')
    expect(await pieces()).toBe(0)
  })

  test('is complete or absent, while it is put and deleted all the time', async () => {
    const [store, reader] = [open(), open()]
    await store.put('key', large)
    const ended = new AbortController()
    const change = (async () => {
      for (let n = 0; n < 5; n += 1) {
        await store.delete('key')
        await store.put('key', large)
      }
      ended.abort()
    })()
    while (!ended.signal.aborted) expect([large, undefined]).toContain((await reader.get('key'))?.value)
    await change
  })

  test('is never partly there', async () => {
    const store = open()
    await store.put('key', large)
    const stream = fixture.subjects.stream('pieces', 'kv s')
    const { state } = await fixture.storage.manager.streams.info(stream)
    await fixture.storage.manager.streams.deleteMessage(stream, state.first_seq + 1)
    await expect(store.get('key')).rejects.toMatchObject({ code: 'FABRIC_UNAVAILABLE' })
  })
})

test('without a server operations fail with an error; with it they continue, with all stored data', async () => {
  const other = await startNatsServer()
  const there = await connectStorage(other)
  const store = open(there)
  const revision = (await store.put('key', 'value')) as number
  await other.kill()
  await expect(store.get('key')).rejects.toMatchObject({ code: 'FABRIC_UNAVAILABLE' })
  await other.restart()
  await eventually(async () => expect(await store.get('key')).toEqual({ value: 'value', revision }))
  await there.connection.close()
  await other.stop()
})

test('a bucket that the server has lost is created again', async () => {
  const store = open()
  await store.put('key', 'value')
  await fixture.storage.manager.streams.delete(`KV_${fixture.subjects.bucket('s')}`)
  await store.put('key', 'again')
  expect(await store.get('key')).toHaveProperty('value', 'again')
})
