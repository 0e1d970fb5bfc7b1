import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Pending } from './pending.ts'
import { type RequestId, requestId } from '../message/request-id.ts'

test('a value is found under its id only, until it is taken', () => {
  const pending = new Pending<string>()
  pending.set(requestId(0), 'number')
  pending.set(requestId('0'), 'text')
  pending.set(requestId(''), 'empty')
  expect(pending.size).toBe(3)
  expect([requestId(0), requestId('0'), requestId('')].map((id) => pending.get(id))).toEqual([
    'number',
    'text',
    'empty',
  ])
  expect(pending.take(requestId('0'))).toBe('text')
  expect(pending.has(requestId('0'))).toBe(false)
  expect(pending.get(requestId('0'))).toBeUndefined()
  expect(pending.take(requestId('0'))).toBeUndefined()
  expect(pending.values()).toEqual(['number', 'empty'])
})

test('an id may be used again after it was taken, and is last then', () => {
  const pending = new Pending<string>()
  pending.set(requestId(1), 'first')
  pending.set(requestId(2), 'second')
  pending.take(requestId(1))
  pending.set(requestId(1), 'again')
  expect(pending.values()).toEqual(['second', 'again'])
})

test('a value is replaced by a new one with the same id', () => {
  const pending = new Pending<string>()
  pending.set(requestId(1), 'one')
  pending.set(requestId(1), 'other')
  expect([pending.size, pending.take(requestId(1)), pending.size]).toEqual([1, 'other', 0])
})

test('an id is removed with its value only, not with one that was replaced', () => {
  const pending = new Pending<string>()
  pending.set(requestId(1), 'one')
  pending.set(requestId(1), 'other')
  pending.remove(requestId(1), 'one')
  pending.remove(requestId(2), 'other')
  expect(pending.values()).toEqual(['other'])
  pending.remove(requestId(1), 'other')
  expect([pending.size, pending.has(requestId(1))]).toEqual([0, false])
})

test('with any ids, set, replaced and taken in any order, it holds what a map would hold', () => {
  const step = fc.record({
    id: fc.oneof(
      fc.integer({ min: 0, max: 60 }),
      // Ids that differ only where the hash does not look.
      fc.constantFrom('a', 'b', 'Aa', 'BB', `a${'x'.repeat(99)}`, `b${'x'.repeat(99)}`, `b${'x'.repeat(199)}`),
    ),
    isTaken: fc.boolean(),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
      const pending = new Pending<number>()
      const expected = new Map<string, number>()
      for (const [number, { id, isTaken }] of steps.entries()) {
        const key = requestId(id)
        const taken = isTaken ? pending.take(key) : undefined
        expect(taken).toBe(isTaken ? expected.get(key) : undefined)
        if (isTaken) expected.delete(key)
        else {
          pending.set(key, number)
          expected.set(key, number)
        }
        expect(pending.size).toBe(expected.size)
      }
      for (const [key, value] of expected) expect(pending.get(key as RequestId)).toBe(value)
      expect(pending.values()).toEqual([...expected.values()])
    }),
  )
})

test('thousands of values are found and taken, also after all were gone once', () => {
  const pending = new Pending<number>()
  const ids = Array.from({ length: 5_000 }, (_, number) => requestId(number))
  for (let round = 0; round < 2; round++) {
    for (const [number, id] of ids.entries()) pending.set(id, number)
    expect(pending.size).toBe(ids.length)
    for (const [number, id] of ids.entries()) expect(pending.take(id)).toBe(number)
    expect([pending.size, pending.values()]).toEqual([0, []])
  }
})
