import { afterEach, expect, it, vi } from 'vitest'
import { createMemoryStore } from './memory-store.ts'
import { createTestPluginContext } from './test-plugin-context.ts'

afterEach(() => {
  vi.useRealTimers()
})

/** A record as an author writes it, with a member that is left out at times. */
interface Visit {
  readonly at: string
  readonly by?: { readonly name: string }[]
}

it('a store of a context takes an interface, and no member that JSON would change', async () => {
  const context = createTestPluginContext()
  const visits = context.store<Visit>('visits', 1000)
  await visits.put('a', { at: 'noon', by: [{ name: 'Ada' }] })
  expect((await visits.get('a'))?.value.by?.[0]?.name).toBe('Ada')
  // @ts-expect-error A Date would be a text when it is read.
  context.store<{ readonly at: Date }>('dates', 1000)
  // @ts-expect-error A bigint has no JSON.
  context.store<{ readonly count: bigint }>('counts', 1000)
})

it('keeps a copy of a value, which later changes by its writer do not affect', async () => {
  const store = createMemoryStore<{ n: number }>(1000)
  const value = { n: 1 }
  await store.put('a', value)
  value.n = 2
  expect(await store.get('a')).toMatchObject({ value: { n: 1 } })
  expect(await store.get('b')).toBeUndefined()
})

it('a put for a revision succeeds only while it is the current one', async () => {
  const store = createMemoryStore<number>(1000)
  expect(await store.put('a', 1, 7)).toBe('conflict')
  const first = (await store.put('a', 1, 0)) as number
  expect(await store.put('a', 2, 0)).toBe('conflict')
  expect(await store.put('a', 2, first)).not.toBe('conflict')
  expect(await store.put('a', 3, first)).toBe('conflict')
  expect(await store.get('a')).toMatchObject({ value: 2 })
})

it('lists keys by prefix, without those that were deleted', async () => {
  const store = createMemoryStore<number>(1000)
  await Promise.all([store.put('a/1', 1), store.put('a/2', 2), store.put('b/1', 3)])
  await store.delete('a/2')
  expect(await store.keys('a/')).toEqual(['a/1'])
})

it('records expire after their time to live, counted from the last put', async () => {
  vi.useFakeTimers()
  const store = createMemoryStore<number>(1000)
  await store.put('a', 1)
  vi.advanceTimersByTime(900)
  await store.put('a', 2)
  vi.advanceTimersByTime(900)
  expect(await store.get('a')).toMatchObject({ value: 2 })
  vi.advanceTimersByTime(100)
  expect(await store.get('a')).toBeUndefined()
  expect(await store.keys('')).toEqual([])
})
