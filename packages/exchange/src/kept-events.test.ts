import { expect, test } from 'vitest'
import type { AskEvent, OrdinaryEvent } from './event.ts'
import { keptChunks, KeptEvents, keptNotifications } from './kept-events.ts'

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

test('drops the oldest notifications above the bound, reports it, and drops nothing else', () => {
  const kept = keep(notification('oldest'), chunk(1), ask('x'))
  const added = Array.from({ length: keptNotifications }, (_, n) => kept.add(notification(`${n}`)))
  expect(added.filter((whole) => !whole)).toHaveLength(1)
  expect(takeAll(kept).slice(0, 3)).toEqual([chunk(1), ask('x'), notification('0')])
})

test('has room for notifications again when some have been taken', () => {
  const kept = keep(...Array.from({ length: keptNotifications }, (_, n) => notification(`${n}`)))
  kept.take()
  expect(kept.add(notification('newest'))).toBe(true)
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
