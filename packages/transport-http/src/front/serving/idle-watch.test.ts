import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ErrorReporter } from '@junctor/contracts'
import { ListNode } from '@junctor/primitives'
import { IdleWatch, type Watched } from './idle-watch.ts'

const reportError = vi.fn<ErrorReporter>()

beforeEach(() => {
  reportError.mockClear()
  vi.useFakeTimers()
})
afterEach(() => vi.useRealTimers())

function watched(quiet: () => void): ListNode<Watched> {
  return new ListNode<Watched>({ quiet, watchedSince: 0 })
}

test('calls once, not before the time and at most half of it late', () => {
  const watch = new IdleWatch(50, reportError)
  const calls: number[] = []
  for (let start = 0; start < 25; start += 1) {
    const began = Date.now()
    watch.watch(watched(() => calls.push(Date.now() - began)))
    vi.advanceTimersByTime(1)
  }
  vi.advanceTimersByTime(1_000)
  expect(calls).toHaveLength(25)
  expect(Math.min(...calls)).toBeGreaterThanOrEqual(50)
  expect(Math.max(...calls)).toBeLessThanOrEqual(75)
})

test('does not call for an item that was removed, and starts again for an item that is watched again', () => {
  const watch = new IdleWatch(50, reportError)
  const left = watched(() => expect.unreachable())
  let calls = 0
  const again = watched(() => (calls += 1))
  watch.watch(left)
  watch.watch(again)
  vi.advanceTimersByTime(49)
  left.list?.remove(left)
  watch.watch(again)
  vi.advanceTimersByTime(49)
  expect(calls).toBe(0)
  vi.advanceTimersByTime(26)
  expect(calls).toBe(1)
})

test('an item may be watched again during its call', () => {
  const watch = new IdleWatch(50, reportError)
  let calls = 0
  const place: ListNode<Watched> = watched(() => {
    calls += 1
    watch.watch(place)
  })
  watch.watch(place)
  vi.advanceTimersByTime(750)
  expect(calls).toBe(10)
})

test('has one timer for all items, and none when no item is watched', () => {
  const watch = new IdleWatch(50, reportError)
  const places = Array.from({ length: 100 }, () => watched(() => {}))
  for (const place of places) watch.watch(place)
  expect(vi.getTimerCount()).toBe(1)
  for (const place of places) place.list?.remove(place)
  vi.advanceTimersByTime(25)
  expect(vi.getTimerCount()).toBe(0)
})

test('after close it has no timer and makes no call', () => {
  const watch = new IdleWatch(50, reportError)
  watch.watch(watched(() => expect.unreachable()))
  watch.close()
  expect(vi.getTimerCount()).toBe(0)
  vi.advanceTimersByTime(1_000)
})

test('an item that throws does not prevent the calls of the others', () => {
  const watch = new IdleWatch(50, reportError)
  const error = new Error('broken')
  const quiet = vi.fn<() => void>()
  watch.watch(
    watched(() => {
      throw error
    }),
  )
  watch.watch(watched(quiet))
  vi.advanceTimersByTime(200)
  expect(quiet).toHaveBeenCalledOnce()
  expect(reportError.mock.calls).toEqual([['connection', error]])
})
