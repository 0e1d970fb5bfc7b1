import { expect, test } from 'vitest'
import type { TelemetryEvent } from '@junctor/contracts'
import { keptEventOf } from './kept-event-of.ts'

function failed(message: string): TelemetryEvent {
  return { kind: 'link_failed', backend: 'files', tenant: '', phase: 'open', message, retryAfterMs: 0 }
}

test('the message of an error is kept without secrets, and truncated', () => {
  expect(keptEventOf(failed('it ended'))).toEqual(failed('it ended'))
  expect(JSON.stringify(keptEventOf(failed('https://user:canary@host/')))).not.toContain('canary')
  expect(keptEventOf(failed('x'.repeat(5000)))).toEqual(failed(`${'x'.repeat(1000)}...`))
})

test('the kept part of a long text does not keep the whole text in memory', () => {
  const before = process.memoryUsage().heapUsed
  // 500 MB of text, of which half a megabyte is kept.
  const kept = Array.from({ length: 500 }, (_, index) => keptEventOf(failed(`${index}`.padEnd(1_000_000, 'é '))))
  expect(kept).toHaveLength(500)
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(250_000_000)
})

test('any other event is kept unchanged', () => {
  const event: TelemetryEvent = { kind: 'node_started', node: 'n1' }
  expect(keptEventOf(event)).toBe(event)
})
