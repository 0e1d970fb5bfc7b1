import { expect, test } from 'vitest'
import { defaultLimits } from '../../shared/limits.ts'
import { createStreamTable } from './stream-table.ts'

const losses = { dropped() {}, overflowed() {} }
const table = (limits: object) => createStreamTable('abcd1234', { ...defaultLimits, ...limits }, () => 0, losses)

test('finished streams of a session are forgotten when they keep too much together, the oldest first', () => {
  const streams = table({ streamCharacters: 100 })
  const opened = Array.from({ length: 10 }, () => {
    const stream = streams.open('s')
    void stream.append('x'.repeat(100), true)
    return stream.id
  })
  const kept = opened.map((id) => streams.find(id, 's') !== undefined)
  expect(kept).toEqual([false, false, false, false, false, true, true, true, true, true])
  // What one session keeps is nothing to another.
  void streams.open('t').append('x', true)
  expect(streams.size).toBe(6)
})

test('what is still being read is not forgotten', () => {
  const streams = table({ streamCharacters: 100 })
  const read = streams.open('s')
  read.attach({ owner: undefined, resumable: true, open() {}, send: () => undefined })
  void read.append('x'.repeat(100), false)
  for (let count = 0; count < 10; count += 1) void streams.open('s').append('x'.repeat(100), true)
  expect(streams.find(read.id, 's')).toBe(read)
})
