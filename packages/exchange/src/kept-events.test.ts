import { payloadOf } from '@junctor/jsonrpc'
import { expect, test } from 'vitest'
import type { AskEvent, OrdinaryEvent } from './event.ts'
import { keptChunks, KeptEvents, keptNotificationSize } from './kept-events.ts'

const progress = (value: number): OrdinaryEvent => ({ kind: 'progress', progress: { progress: value } })
const chunk = (data: unknown): OrdinaryEvent => ({ kind: 'chunk', data })
const ask = (id: string): AskEvent => ({ kind: 'ask', id, request: { method: 'roots/list', params: undefined } })
const notification = (method: string): OrdinaryEvent => ({
  kind: 'notification',
  notification: { method, params: undefined },
})

function keep(...events: readonly OrdinaryEvent[]): KeptEvents {
  const kept = new KeptEvents()
  for (const event of events) kept.add(event)
  return kept
}

function takeAll(kept: KeptEvents): readonly OrdinaryEvent[] {
  const events: OrdinaryEvent[] = []
  for (let event = kept.take(); event !== undefined; event = kept.take()) events.push(event)
  return events
}

test('returns events in the order in which they were added', () => {
  const events = [notification('a'), chunk(1), ask('x'), progress(1)]
  expect(takeAll(keep(...events))).toEqual(events)
})

test('keeps only the latest progress, at its own place', () => {
  expect(takeAll(keep(progress(1), notification('a'), progress(2)))).toEqual([notification('a'), progress(2)])
})

test('merges several acks into one, with the members of each', () => {
  const kept = keep(
    { kind: 'ack', ack: { info: { jobId: 'j_1', ttl: '1h' } } },
    { kind: 'ack', ack: {} },
    { kind: 'ack', ack: { info: { ttl: '2h' } } },
  )
  expect(takeAll(kept)).toEqual([{ kind: 'ack', ack: { info: { jobId: 'j_1', ttl: '2h' } } }])
})

const log = (level: string, length: number): OrdinaryEvent => ({
  kind: 'notification',
  notification: { method: 'notifications/message', params: payloadOf({ level, data: 'x'.repeat(length) }) },
})
const half = keptNotificationSize / 2 - 1_000

test('keeps five thousand log lines of a hundred characters', () => {
  const kept = new KeptEvents()
  const dropped = Array.from({ length: 5_000 }, () => kept.add(log('info', 100)))
  expect(dropped.every((count) => count === 0)).toBe(true)
  expect([takeAll(kept).length, kept.lossNotice]).toEqual([5_000, undefined])
})

test('drops the oldest notifications above the bound, reports how many, and drops nothing else', () => {
  const kept = keep(notification('oldest'), log('info', 10), chunk(1), ask('x'), log('info', half))
  const newest = [log('info', half), log('info', 1_000)]
  expect(newest.map((event) => kept.add(event))).toEqual([0, 2])
  const left = takeAll(kept)
  expect(left.map(({ kind }) => kind)).toEqual(['chunk', 'ask', 'notification', 'notification', 'notification'])
  expect(newest.map((event) => left.indexOf(event))).toEqual([3, 4])
  expect(kept.lossNotice?.params?.value()).toMatchObject({ level: 'warning', data: expect.stringMatching(/^2 /) })
})

test('keeps the newest notification, however large it is', () => {
  const kept = keep(log('info', 1))
  const newest = log('info', 3 * half)
  expect(kept.add(newest)).toBe(1)
  expect(takeAll(kept).indexOf(newest)).toBe(0)
})

test.each<[string, OrdinaryEvent]>([
  ['no log messages', notification('notifications/resources/updated')],
  ['errors only', log('error', 10)],
])('says nothing of a loss to a client that may take %s', (_name, lost) => {
  const kept = keep(lost)
  expect(kept.add(log('info', 3 * half))).toBe(1)
  expect(kept.lossNotice).toBeUndefined()
})

test('has room for notifications again when some have been taken', () => {
  const kept = keep(log('info', half), log('info', half))
  kept.take()
  expect(kept.add(log('info', half))).toBe(0)
})

test('is full at the bound for chunks, until one has been taken', () => {
  const kept = keep(...Array.from({ length: keptChunks - 1 }, (_, n) => chunk(n)))
  expect(kept.full).toBe(false)
  kept.add(chunk('last'))
  expect(kept.full).toBe(true)
  kept.take()
  expect(kept.full).toBe(false)
})

test('replays asks before everything else, each once', () => {
  const [first, second] = [ask('1'), ask('2')]
  const kept = keep(notification('a'), second)
  kept.replay([first, second])
  expect(takeAll(kept)).toEqual([first, second, notification('a')])
})

test('forgets an ask that was settled before it was shown', () => {
  const kept = keep(ask('1'))
  const settled = ask('2')
  kept.add(settled)
  kept.remove(settled)
  expect(takeAll(kept)).toEqual([ask('1')])
})
