import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nodeRoom } from './node-room.ts'

const alone = { limit: 100, ownBefore: 0, othersBefore: 0, othersNow: 0 }

test.each([
  ['alone, the whole limit', alone, 100],
  ['alone and asked for more, the whole limit', { ...alone, ownBefore: 500 }, 100],
  ['what the others have left', { ...alone, othersNow: 30 }, 70],
  ['nothing when the others have used all', { ...alone, othersNow: 130 }, 0],
  ['all that is left when the limit was enough for all', { ...alone, ownBefore: 40, othersBefore: 60 }, 100],
  ['half when both were asked for as much', { ...alone, ownBefore: 200, othersBefore: 200 }, 51],
  ['its share of what was asked', { ...alone, ownBefore: 300, othersBefore: 100 }, 76],
  ['one call when all was asked of the others', { ...alone, othersBefore: 400 }, 1],
  ['no more than is left', { ...alone, ownBefore: 300, othersBefore: 100, othersNow: 90 }, 10],
])('%s', (_, known, room) => {
  expect(nodeRoom(known)).toBe(room)
})

test('the shares of nodes that know of each other are the limit, and at most one call more for each node', () => {
  const tried = fc.array(fc.nat(1_000), { minLength: 2, maxLength: 8 })
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1_000 }), tried, (limit, nodes) => {
      const all = nodes.reduce((sum, own) => sum + own, 0)
      fc.pre(all > limit && nodes.filter((own) => own > 0).length > 1)
      const rooms = nodes.map((own) => nodeRoom({ limit, ownBefore: own, othersBefore: all - own, othersNow: 0 }))
      const sum = rooms.reduce((total, room) => total + room, 0)
      expect(sum).toBeGreaterThanOrEqual(limit)
      expect(sum).toBeLessThanOrEqual(limit + 2 * nodes.length)
    }),
  )
})
