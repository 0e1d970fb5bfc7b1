import { expect, test } from 'vitest'
import { findCycles } from './cycles.ts'

const edges = (record: Record<string, string[]>): Map<string, Set<string>> =>
  new Map(Object.entries(record).map(([name, to]) => [name, new Set(to)]))

test('a tree, even with shared branches, has no cycle', () => {
  expect(findCycles(edges({ a: ['b', 'c'], b: ['d'], c: ['d'], d: [] }))).toEqual([])
})

test('a cycle is shown as the way around it', () => {
  expect(findCycles(edges({ a: ['b'], b: ['c'], c: ['b'] }))).toEqual([['b', 'c', 'b']])
})

test('two cycles are two findings', () => {
  expect(findCycles(edges({ a: ['b'], b: ['a'], c: ['d'], d: ['c'] }))).toEqual([
    ['a', 'b', 'a'],
    ['c', 'd', 'c'],
  ])
})
