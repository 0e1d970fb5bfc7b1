import { expect, test } from 'vitest'
import { createCycleFinder } from './cycle-finder.ts'

type Graph = Readonly<Record<string, readonly string[]>>

const cyclesIn = (graph: Graph): Readonly<Record<string, readonly string[]>> => {
  const find = createCycleFinder((name) => graph[name] ?? [])
  return Object.fromEntries(Object.keys(graph).map((name) => [name, [...find(name)].toSorted()]))
}

test.each<[string, Graph, Graph]>([
  ['a chain', { a: ['b'], b: ['c'], c: [] }, { a: [], b: [], c: [] }],
  ['a reference to itself', { a: ['a', 'b'], b: [] }, { a: ['a'], b: [] }],
  ['a pair, and what leads to it', { a: ['b'], b: ['c'], c: ['b'] }, { a: [], b: ['b', 'c'], c: ['b', 'c'] }],
  [
    'two cycles with one definition in common',
    { a: ['b', 'c'], b: ['a'], c: ['a'] },
    { a: ['a', 'b', 'c'], b: ['a', 'b', 'c'], c: ['a', 'b', 'c'] },
  ],
  [
    'a cycle that leads to another one',
    { a: ['b'], b: ['a', 'c'], c: ['d'], d: ['c'] },
    { a: ['a', 'b'], b: ['a', 'b'], c: ['c', 'd'], d: ['c', 'd'] },
  ],
  [
    'a diamond with a way back',
    { a: ['b', 'c'], b: ['d'], c: ['d'], d: ['e', 'a'], e: [] },
    { a: ['a', 'b', 'c', 'd'], b: ['a', 'b', 'c', 'd'], c: ['a', 'b', 'c', 'd'], d: ['a', 'b', 'c', 'd'], e: [] },
  ],
])('%s', (_what, graph, cycles) => {
  expect(cyclesIn(graph)).toEqual(cycles)
  const reversed = Object.fromEntries(Object.entries(graph).toReversed())
  expect(cyclesIn(reversed)).toEqual(cycles)
})

test('the references of each definition are followed once, however many are asked for', () => {
  const last = 20_000
  let followed = 0
  const find = createCycleFinder((name) => {
    followed += 1
    return [String((Number(name) + 1) % (last + 1))]
  })
  for (let name = 0; name <= last; name += 100) expect(find(String(name)).size).toBe(last + 1)
  expect(followed).toBe(last + 1)
})
