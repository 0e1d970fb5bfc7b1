import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { PacedCounts } from './paced-counts.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('reports the first event, and then the count since, once a minute', () => {
  const counts = new PacedCounts<string>()
  expect(counts.add('a')).toBe(1)
  expect(counts.add('a')).toBeUndefined()
  vi.advanceTimersByTime(59_999)
  expect(counts.add('a')).toBeUndefined()
  vi.advanceTimersByTime(1)
  expect(counts.add('a')).toBe(3)
  expect(counts.add('a')).toBeUndefined()
})

it('counts each kind separately', () => {
  const counts = new PacedCounts<string>()
  expect(counts.add('a')).toBe(1)
  vi.advanceTimersByTime(10_000)
  expect(counts.add('b')).toBe(1)
  vi.advanceTimersByTime(50_000)
  expect(counts.add('b')).toBeUndefined()
  expect(counts.add('a')).toBe(1)
})
