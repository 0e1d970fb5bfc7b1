import { expect, test } from 'vitest'
import { Pending } from './pending.ts'
import { requestId } from './request-id.ts'

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
