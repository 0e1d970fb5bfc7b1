import { expect, test } from 'vitest'
import { type EventFilter, readEventQuery } from './event-query.ts'

const now = 1_000_000_000_000_000
const nothing = { trace: undefined, type: undefined, status: undefined, since: undefined, limit: 100 }
const hour = 3_600_000_000

const usable: readonly (readonly [asked: EventFilter & { readonly unknown?: number }, query: object])[] = [
  [{}, nothing],
  [{ trace_id: null, limit: undefined }, nothing],
  [{ trace_id: '550E8400-e29b-41d4-a716-446655440000' }, { ...nothing, trace: '550e8400e29b41d4a716446655440000' }],
  [{ trace_id: '550e8400e29b41d4a716446655440000' }, { ...nothing, trace: '550e8400e29b41d4a716446655440000' }],
  [
    { event_type: 'job.ended', status: 'pending' },
    { ...nothing, type: 'job.ended', status: 'pending' },
  ],
  [{ since: '24h' }, { ...nothing, since: now - 24 * hour }],
  [{ since: '7d' }, { ...nothing, since: now - 7 * 24 * hour }],
  [{ since: ' 30m ' }, { ...nothing, since: now - hour / 2 }],
  [{ since: '2001-09-09T01:46:40Z' }, { ...nothing, since: now }],
  [{ limit: 1000 }, { ...nothing, limit: 1000 }],
  [{ unknown: 1 }, nothing],
]

test.each(usable)('%j', (asked, query) => {
  expect(readEventQuery(asked, now)).toEqual({ kind: 'query', query })
})

test.each([
  [{ trace_id: 'x' }, 'trace_id: expected a UUID, as events have it, got "x"'],
  [{ trace_id: 5 }, 'trace_id: expected a UUID, as events have it, got 5'],
  [{ event_type: 5 }, 'event_type: expected a type such as "gateway.tool_call", got 5'],
  [{ status: 'ok' }, 'status: expected "success", "failure" or "pending", got "ok"'],
  [{ since: '24 hours' }, 'since: expected an ISO 8601 time, or a span such as "24h", "7d", "30m", got "24 hours"'],
  [{ since: {} }, 'since: expected an ISO 8601 time, or a span such as "24h", "7d", "30m", got {}'],
  [{ limit: 0 }, 'limit: expected an integer from 1 to 1000, got 0'],
  [{ limit: 1001 }, 'limit: expected an integer from 1 to 1000, got 1001'],
  [{ limit: 1.5 }, 'limit: expected an integer from 1 to 1000, got 1.5'],
  [{ limit: '10' }, 'limit: expected an integer from 1 to 1000, got "10"'],
  [{ status: 'x'.repeat(1000) }, `status: expected "success", "failure" or "pending", got "${'x'.repeat(99)}...`],
])('%j is refused with what was expected', (asked, message) => {
  expect(readEventQuery(asked, now)).toEqual({ kind: 'bad', message })
})
