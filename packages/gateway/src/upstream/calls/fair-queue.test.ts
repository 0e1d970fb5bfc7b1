import fc from 'fast-check'
import { expect, it } from 'vitest'
import { FairQueue } from './fair-queue.ts'

it('lets owners take turns, each with its oldest item first', () => {
  const queue = new FairQueue<string>()
  for (const item of ['a1', 'a2', 'a3', 'b1', 'c1', 'b2']) queue.add(item.charAt(0), item)
  const taken = Array.from({ length: 7 }, () => queue.next())
  expect(taken).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', undefined])
})

it('has room for so many items, and so many of one owner', () => {
  const queue = new FairQueue<number>()
  const room = { all: 3, ofOwner: 2 }
  queue.add('a', 1)
  queue.add('a', 2)
  expect([queue.hasRoom('a', room), queue.hasRoom('b', room)]).toEqual([false, true])
  queue.add('b', 3)
  expect([queue.hasRoom('b', room), queue.hasRoom('c', room)]).toEqual([false, false])
  expect(queue.remove('a', 1)).toBe(true)
  expect([queue.remove('a', 1), queue.hasRoom('a', room), queue.size]).toEqual([false, true, 2])
})

/** Takes all items, and returns how often an owner that still had items was passed over twice by the same other one. */
function unfairTurns(queue: FairQueue<{ owner: string }>): number {
  const order: string[] = []
  for (let item = queue.next(); item !== undefined; item = queue.next()) order.push(item.owner)
  return order.filter((owner, at) => {
    const previous = order.lastIndexOf(owner, at - 1)
    if (at === 0 || previous < 0) return false
    const between = new Set(order.slice(previous + 1, at))
    return [...new Set(order.slice(at + 1))].some((other) => other !== owner && !between.has(other))
  }).length
}

it('never lets an owner wait for two items of another, and loses none', () => {
  const step = fc.record({ adds: fc.boolean(), owner: fc.constantFrom('a', 'b', 'c') })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const queue = new FairQueue<{ owner: string }>()
      const waiting: { owner: string }[] = []
      for (const { adds, owner } of steps) {
        const at = adds ? -1 : waiting.findIndex((one) => one.owner === owner)
        const [gone] = at < 0 ? [] : waiting.splice(at, 1)
        if (gone !== undefined) queue.remove(owner, gone)
        if (adds) waiting.push({ owner })
        const added = waiting.at(-1)
        if (adds && added !== undefined) queue.add(owner, added)
      }
      const { size } = queue
      expect([size, unfairTurns(queue), queue.size]).toEqual([waiting.length, 0, 0])
    }),
  )
})
