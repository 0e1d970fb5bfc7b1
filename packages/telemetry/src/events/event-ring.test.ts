import { describe, expect, test } from 'vitest'
import { EventRing } from './event-ring.ts'
import type { KeptEnd, KeptEvent, KeptStart } from './kept-event.ts'

const opened: KeptEvent = { kind: 'link_opened', tenant: 'acme', backend: 'files', again: false }

const started: KeptStart = {
  kind: 'tool_call_started',
  tenant: 'acme',
  backend: 'files',
  tool: 'files__read',
  trace: 'a1'.repeat(16),
}

const failed: KeptEnd = {
  kind: 'request_finished',
  tenant: 'acme',
  backend: 'files',
  tool: 'files__read',
  trace: 'b2'.repeat(16),
  outcome: 'error',
  reason: 'internal_error',
  code: -32_603,
  durationMs: 1.5,
}

const succeeded: KeptEnd = { ...failed, trace: undefined, outcome: 'success', reason: undefined, code: undefined }

const events: readonly KeptEvent[] = [started, failed, opened, succeeded, started]

function filled(keep: number, count: number): EventRing {
  const ring = new EventRing(keep)
  for (let number = 0; number < count; number += 1) {
    ring.push(number, number * 10, events[number % events.length] as KeptEvent)
  }
  return ring
}

describe('a ring has the last events, newest first, unchanged', () => {
  test.each([
    [3, 0],
    [3, 2],
    [3, 3],
    [3, 4],
    [1, 5],
    [7, 100],
    [64, 64],
    [64, 65],
    // The ring grows.
    [1_000, 65],
    [1_000, 999],
    [1_000, 2_345],
  ])('it keeps %i of %i events', (keep, count) => {
    const expected = Array.from({ length: Math.min(keep, count) }, (_, index) => {
      const number = count - 1 - index
      return { sequence: number, at: number * 10, event: events[number % events.length] }
    })
    expect([...filled(keep, count).newestFirst()]).toEqual(expected)
  })
})

test('a place keeps nothing of its previous event', () => {
  const ring = filled(1, 2)
  ring.push(2, 20, succeeded)
  expect([...ring.newestFirst()]).toStrictEqual([{ sequence: 2, at: 20, event: succeeded }])
})
