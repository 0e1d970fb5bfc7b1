import type { EntryLog, LogBounds } from '@junctor/contracts'
import { eventually, startNatsServer } from '@junctor/testkit'
import { beforeEach, expect, test } from 'vitest'
import { NatsLog } from '../src/storage/nats-log.ts'
import type { Storage } from '../src/storage/storage.ts'
import { connectStorage } from './connect-storage.ts'
import { storageFixture } from './storage-fixture.ts'

const fixture = storageFixture()
let clock = 0

beforeEach(() => {
  clock = Date.now()
})

const wide: LogBounds = { entries: 100, bytes: 100_000, ageMs: 60_000 }

function open(bounds: LogBounds = wide, over: Storage = fixture.storage): EntryLog {
  return new NatsLog(over, { name: 'l', bounds, subjects: fixture.subjects, check: () => {}, now: () => clock })
}

test('keys of any kind are kept apart, also those that look like filters', async () => {
  const log = open()
  const keys = ['a', 'a.b', '*', 'a.*', '>', '', 'x y\r\n']
  for (const key of keys) expect(await log.append(key, key)).toBe(1)
  for (const key of keys) expect(await log.read(key, 0)).toEqual([{ sequence: 1, value: key }])
  await log.drop('*')
  await log.drop('a')
  expect(await log.read('a.b', 0)).toHaveLength(1)
})

test('many entries are returned by one read, in order', async () => {
  const log = open()
  for (let n = 1; n <= 50; n += 1) await log.append('key', `${n}`)
  for (let n = 1; n <= 50; n += 1) if (n % 5 === 0) await log.append('other', `${n}`)
  const entries = await log.read('key', 10)
  expect(entries).toEqual(Array.from({ length: 40 }, (_, n) => ({ sequence: n + 11, value: `${n + 11}` })))
})

test('entries expire, each at its time, and numbers continue', async () => {
  const log = open()
  await log.append('key', 'a')
  clock += wide.ageMs + 5_000
  expect(await log.read('key', 0)).toEqual([])
  clock = Date.now()
  expect(await log.append('key', 'b')).toBe(2)
})

test('entries above the limit of bytes are gone for readers immediately, and on the server soon', async () => {
  const log = open({ ...wide, bytes: 1_000 })
  for (let n = 0; n < 100; n += 1) await log.append('key', 'x'.repeat(100))
  const entries = await log.read('key', 0)
  expect(entries.map((entry) => entry.sequence)).toEqual([91, 92, 93, 94, 95, 96, 97, 98, 99, 100])
  const { state } = await fixture.storage.manager.streams.info(fixture.subjects.stream('log', 'l'))
  expect(state.messages).toBeLessThanOrEqual(20)
})

test('trimming one key removes nothing of another', async () => {
  const log = open({ ...wide, bytes: 1_000 })
  await log.append('quiet', 'stays')
  for (let n = 0; n < 30; n += 1) await log.append('busy', 'x'.repeat(100))
  expect(await log.read('quiet', 0)).toEqual([{ sequence: 1, value: 'stays' }])
})

test('an empty entry is an entry', async () => {
  const log = open()
  await log.append('key', '')
  await log.append('key', '')
  expect(await log.read('key', 0)).toEqual([
    { sequence: 1, value: '' },
    { sequence: 2, value: '' },
  ])
})

test('entries that are too large for one message count and are returned like others', async () => {
  const log = open({ ...wide, bytes: 5_000_000 })
  const large = 'x'.repeat(2_000_000)
  for (const value of ['a', large, 'b', large, 'c', large]) await log.append('key', value)
  const entries = await log.read('key', 0)
  expect(entries.map(({ sequence, value }) => [sequence, value.length])).toEqual([
    [3, 1],
    [4, 2_000_000],
    [5, 1],
    [6, 2_000_000],
  ])
  expect(await log.read('key', 5)).toEqual([{ sequence: 6, value: large }])
})

test('appended entries survive a crash of the server', async () => {
  const other = await startNatsServer()
  const there = await connectStorage(other)
  const log = open(wide, there)
  for (let n = 1; n <= 20; n += 1) await log.append('key', `${n}`)
  await other.kill()
  await other.restart()
  await eventually(async () => expect(await log.read('key', 0)).toHaveLength(20))
  expect(await log.append('key', 'next')).toBe(21)
  await there.connection.close()
  await other.stop()
})
