import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ReplayGuard, seenCounts } from './replay-guard.ts'

test('a number is new once, in any order, unless it is too far behind', () => {
  const counts = fc.array(fc.oneof(fc.nat(40), fc.nat(3 * seenCounts), fc.nat(2 ** 40)), { maxLength: 200 })
  fc.assert(
    fc.property(counts, (sent) => {
      const seen = new ReplayGuard()
      const known = new Set<number>()
      let highest = 0
      for (const [index, count] of sent.entries()) {
        const isTooLate = index > 0 && count <= highest - seenCounts
        expect(seen.isNew('a', count)).toBe(!isTooLate && !known.has(count))
        known.add(count)
        highest = index === 0 ? count : Math.max(highest, count)
      }
    }),
  )
})

test('the first number of a sender is new, and each sender has its own', () => {
  const seen = new ReplayGuard()
  expect(['a', 'b', 'a', 'b'].map((sender) => seen.isNew(sender, 7))).toEqual([true, true, false, false])
})
