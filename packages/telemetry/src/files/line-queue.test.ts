import { expect, test } from 'vitest'
import { LineQueue } from './line-queue.ts'

test('lines are taken in order, once', () => {
  const queue = new LineQueue(100)
  expect(queue.isEmpty).toBe(true)
  queue.push('one')
  queue.push('two')
  expect(queue.isEmpty).toBe(false)
  expect(queue.take()).toEqual(['one', 'two'])
  expect(queue.isEmpty).toBe(true)
  expect(queue.take()).toEqual([])
})

test('above the bound the oldest lines are dropped, and counted', () => {
  const queue = new LineQueue(10)
  for (const line of ['aaaa', 'bbbb', 'cc', 'dd']) queue.push(line)
  expect([queue.dropped, queue.take()]).toEqual([1, ['bbbb', 'cc', 'dd']])
  queue.push('longer than all that may wait')
  expect([queue.dropped, queue.isEmpty, queue.take()]).toEqual([2, true, []])
})

test('a queue without a reader stays within its bound', () => {
  const queue = new LineQueue(1000)
  for (let count = 0; count < 200_000; count += 1) queue.push('x'.repeat(10))
  expect(queue.dropped).toBe(199_900)
  expect(queue.take()).toHaveLength(100)
})
