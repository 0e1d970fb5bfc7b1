import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Inboxes } from './inboxes.ts'

test('an item is found by its name until it leaves, and no name is used twice', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 9 })), (choices) => {
      const inboxes = new Inboxes<number>('me')
      const waiting = new Map<string, number>()
      const given: string[] = []
      for (const [n, choice] of choices.entries()) {
        const name = [...waiting.keys()][choice]
        if (name === undefined) {
          const added = inboxes.add(n)
          waiting.set(added, n)
          given.push(added)
        } else {
          inboxes.remove(name)
          waiting.delete(name)
        }
        for (const one of given) expect(inboxes.get(one)).toBe(waiting.get(one))
      }
      expect(new Set(given).size).toBe(given.length)
    }),
  )
})

test.each(['', 'me', 'other0-1', 'me0', 'me0-2', 'me1-1', 'me-1', 'me0-1 '])('there is no item at %j', (name) => {
  const inboxes = new Inboxes<string>('me')
  expect(inboxes.add('somebody')).toBe('me0-1')
  expect(inboxes.get(name)).toBeUndefined()
  inboxes.remove(name)
  expect(inboxes.get('me0-1')).toBe('somebody')
})

test('an item that has left is not kept in memory', () => {
  const inboxes = new Inboxes<string>('me')
  const name = inboxes.add('first')
  inboxes.remove(name)
  inboxes.remove(name)
  expect(inboxes.add('second')).not.toBe(name)
  expect([inboxes.get(name), inboxes.get(inboxes.add('third'))]).toEqual([undefined, 'third'])
})
