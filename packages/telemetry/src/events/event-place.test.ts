import type { Fact } from '@junctor/exchange'
import { expect, test } from 'vitest'
import { EventPlace } from './event-place.ts'

const started: Fact = {
  kind: 'tool_call_started',
  tenant: 'acme',
  backend: 'files',
  tool: 'files__read',
  trace: 'a'.repeat(32),
  principal: 'api-key ci',
}

const finished: Fact = {
  kind: 'request_finished',
  tenant: 'acme',
  transport: 'http',
  method: 'tools/call',
  backend: 'files',
  tool: 'files__read',
  trace: 'a'.repeat(32),
  principal: 'api-key ci',
  outcome: 'error',
  code: -32_603,
  origin: 'gateway',
  reason: 'internal_error',
  durationMs: 1.5,
  backendMs: 0.5,
}

const later: Fact = { ...finished, outcome: 'success', code: undefined, origin: undefined, reason: undefined }

test('a place holds the event that came last, with nothing of those before', () => {
  const place = new EventPlace()
  for (const [index, fact] of [started, finished, started, later].entries()) {
    place.hold(index, index * 10, fact)
    expect([place.sequence, place.at, place.fact]).toEqual([index, index * 10, fact])
  }
})

test('the facts of calls are copied into objects that stay', () => {
  const place = new EventPlace()
  place.hold(1, 1, finished)
  const kept = place.fact
  expect(kept).not.toBe(finished)
  place.hold(2, 2, started)
  place.hold(3, 3, later)
  expect(place.fact).toBe(kept)
})
