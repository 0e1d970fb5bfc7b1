import { expect, it } from 'vitest'
import { removeOldest } from './remove-oldest.ts'

it('removes the oldest entry over the bound', () => {
  const kept = new Set(['a', 'b', 'c'])
  removeOldest(kept, 2)
  removeOldest(kept, 2)
  expect([...kept]).toEqual(['b', 'c'])
})

it('knows the age of an entry of a map from when it was added', () => {
  const kept = new Map([
    ['a', 1],
    ['b', 2],
  ])
  kept.set('a', 3)
  removeOldest(kept, 1)
  expect([...kept.keys()]).toEqual(['b'])
})
