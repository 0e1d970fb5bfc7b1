import { expect, test } from 'vitest'
import { Ring } from './ring.ts'

test.each([
  [3, 0, []],
  [3, 2, [2, 1]],
  [3, 3, [3, 2, 1]],
  [3, 4, [4, 3, 2]],
  [3, 6, [6, 5, 4]],
  [1, 5, [5]],
])('a ring that keeps %i has, after %i, %j', (keep, pushed, kept) => {
  let made = 0
  const ring = new Ring(keep, () => ({ place: ++made, item: 0 }))
  for (let item = 1; item <= pushed; item += 1) ring.next().item = item
  expect(Array.from(ring.newestFirst(), ({ item }) => item)).toEqual(kept)
  expect(made).toBe(Math.min(keep, pushed))
})
