import { expect, test } from 'vitest'
import { defaultGatewayLimits } from '../../shared/limits.ts'
import { createStreamTable } from './stream-table.ts'

const losses = { dropped() {}, overflowed() {} }
const table = (limits: object) => createStreamTable('abcd1234', { ...defaultGatewayLimits, ...limits }, () => 0, losses)

test('the oldest finished streams of a session are removed when its streams together keep too much', () => {
  const streams = table({ streamCharacters: 100 })
  const opened = Array.from({ length: 10 }, () => {
    const stream = streams.open('s')
    void stream.append('x'.repeat(100), true)
    return stream.id
  })
  const kept = opened.map((id) => streams.find(id, 's') !== undefined)
  expect(kept).toEqual([false, false, false, false, false, true, true, true, true, true])
  // The streams of one session do not count for another.
  void streams.open('t').append('x', true)
  expect(streams.size).toBe(6)
})

test('a stream that is being read is not removed', () => {
  const streams = table({ streamCharacters: 100 })
  const read = streams.open('s')
  read.attach({ owner: undefined, resumable: true, open() {}, send: () => undefined })
  void read.append('x'.repeat(100), false)
  for (let count = 0; count < 10; count += 1) void streams.open('s').append('x'.repeat(100), true)
  expect(streams.find(read.id, 's')).toBe(read)
})

test('the writer of a removed stream no longer waits for a reader', async () => {
  const streams = table({ streamEntries: 2, streams: 1 })
  const waiting = streams.open('s').append('x', false)
  expect(waiting).toBeDefined()
  streams.open('s')
  await waiting
})

test('streams of all sessions together keep a bounded part, and who keeps little loses nothing', () => {
  const streams = table({ streamCharacters: 100 })
  const open = (session: string): string => {
    const stream = streams.open(session)
    void stream.append('x'.repeat(100), true)
    return stream.id
  }
  const little = open('other')
  const large = Array.from({ length: 100 }, (_, session) => open(`large ${session}`))
  const ownerOf = (session: string): string => session.replace(/ .*/, '')
  streams.relieve(ownerOf)
  expect(streams.size).toBe(64)
  expect(streams.find(little, 'other')).toBeDefined()
  // The oldest are removed.
  expect(large.findIndex((id, session) => streams.find(id, `large ${session}`) !== undefined)).toBe(37)
})
