import { expect, it, onTestFinished, vi } from 'vitest'
import { silentLog } from './log.ts'
import type { TelemetryEvent } from './telemetry-event.ts'
import { createUnreadableReporter } from './unreadable-reporter.ts'

it('counts each, and logs each kind the first time, then once a minute with the count since', () => {
  const lines: unknown[] = []
  const events: TelemetryEvent[] = []
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const report = createUnreadableReporter(
    { ...silentLog, warn: (_message, about) => void lines.push(about) },
    (event) => void events.push(event),
  )
  for (const source of ['a', 'b', 'c']) report('session', source, 'expected a text')
  report('control', 'd', 'expected an object')
  vi.advanceTimersByTime(60_000)
  report('session', 'e', 'expected a text')
  expect(lines).toEqual([
    { kind: 'session', source: 'a', problem: 'expected a text', count: 1 },
    { kind: 'control', source: 'd', problem: 'expected an object', count: 1 },
    { kind: 'session', source: 'e', problem: 'expected a text', count: 3 },
  ])
  expect(events.map((event) => event.kind === 'data_unreadable' && event.data)).toEqual([
    'session',
    'session',
    'session',
    'control',
    'session',
  ])
})
