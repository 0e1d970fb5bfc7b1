import { emitNothing, silentLog } from '@junctor/contracts'
import { createMemoryBus, createMemoryFabric } from '@junctor/fabric'
import type { JsonObject } from '@junctor/jsonrpc'
import { createRequest, recordExchange } from '@junctor/testkit'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createPluginDuties } from './plugin-duties.ts'
import { StoredShare } from './stored-share.ts'

const mebi = 1024 * 1024

function setUp() {
  const fabric = createMemoryFabric(createMemoryBus())
  const store = fabric.store.bind(fabric)
  const context = { name: 'greedy', log: silentLog, emit: emitNothing, store }
  const share = new StoredShare()
  onTestFinished(() => fabric.close())
  return () => {
    const duties = createPluginDuties(context, share)
    return async (method: string, params: JsonObject): Promise<unknown> => {
      const body = { store: 'a', ttlMs: 60_000, key: 'k', ...params }
      const outcome = await duties.store(createRequest(method, body), recordExchange().exchange)
      return outcome.kind === 'complete' ? outcome.result.value() : outcome.kind
    }
  }
}

test('a plugin stores as much as there is room for, also by several processes', async () => {
  const start = setUp()
  const first = start()
  const value = 'x'.repeat(16 * mebi - 1_000)
  for (const key of ['a', 'b', 'c']) expect(await first('put', { key, value })).toBeTypeOf('number')
  const second = start()
  expect(await second('put', { key: 'd', value })).toBeTypeOf('number')
  await expect(second('put', { key: 'e', value })).rejects.toThrow('The plugin of greedy may not store more')
  expect(await second('put', { key: 'd', value })).toBeTypeOf('number')
  expect(await second('get', { key: 'e' })).toBeNull()
  await second('delete', { key: 'a' })
  expect(await second('put', { key: 'e', value })).toBeTypeOf('number')
})

test('records whose time is over make room', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const ask = setUp()()
  const value = 'x'.repeat(40 * mebi)
  await ask('put', { key: 'a', value })
  await expect(ask('put', { key: 'b', value })).rejects.toThrow('may not store more')
  vi.setSystemTime(Date.now() + 60_001)
  expect(await ask('put', { key: 'b', value })).toBeTypeOf('number')
})

test('what a write that fails has not replaced still counts', async () => {
  const ask = setUp()()
  const value = 'x'.repeat(40 * mebi)
  await ask('put', { key: 'a', value })
  expect(await ask('put', { key: 'a', value: '', revision: 7 })).toBe('conflict')
  await expect(ask('put', { key: 'b', value })).rejects.toThrow('may not store more')
  expect(await ask('put', { key: 'a', value: '' })).toBeTypeOf('number')
  expect(await ask('put', { key: 'b', value })).toBeTypeOf('number')
})

test('records count for the longest time that their store was opened with', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const ask = setUp()()
  const value = 'x'.repeat(40 * mebi)
  await ask('put', { key: 'first', value: 1 })
  await ask('put', { key: 'a', value, ttlMs: 1 })
  vi.setSystemTime(Date.now() + 10_000)
  await expect(ask('put', { key: 'b', value, ttlMs: 1 })).rejects.toThrow('may not store more')
  vi.setSystemTime(Date.now() + 60_000)
  expect(await ask('put', { key: 'b', value, ttlMs: 1 })).toBeTypeOf('number')
})

test('a plugin has a bounded number of stores', async () => {
  const ask = setUp()()
  for (let at = 0; at < 64; at += 1) expect(await ask('get', { store: `s${at}` })).toBeNull()
  await expect(ask('get', { store: 'one more' })).rejects.toThrow('it has 64 stores already')
  expect(await ask('put', { store: 's1', value: 1 })).toBeTypeOf('number')
})
