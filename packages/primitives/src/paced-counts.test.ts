import { expect, it } from 'vitest'
import { PacedCounts } from './paced-counts.ts'

it('reports the first event, and then the count since, once per interval', () => {
  const counts = new PacedCounts<string>(1_000)
  expect(counts.add('a', 0)).toBe(1)
  expect(counts.add('a', 1)).toBeUndefined()
  expect(counts.add('a', 999)).toBeUndefined()
  expect(counts.add('a', 1_000)).toBe(3)
  expect(counts.add('a', 1_001)).toBeUndefined()
})

it('counts each kind separately', () => {
  const counts = new PacedCounts<string>(1_000)
  expect(counts.add('a', 0)).toBe(1)
  expect(counts.add('b', 10)).toBe(1)
  expect(counts.add('b', 1_000)).toBeUndefined()
  expect(counts.add('a', 1_000)).toBe(1)
})
