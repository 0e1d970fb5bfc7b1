import type { TelemetryEvent, RequestOutcome } from '@junctor/contracts'
import { methods } from '@junctor/protocol'
import { expect, test } from 'vitest'
import { createMetrics } from '../src/index.ts'
import { expositionProblems } from './exposition-problems.ts'

const outcomes: readonly RequestOutcome[] = ['success', 'tool_error', 'error', 'cancelled', 'deadline', 'ended']

/** A name with all characters that must be escaped. */
const awkward = 'a"b\\c\nd,e="f"}'

const events: readonly TelemetryEvent[] = [
  ...outcomes.flatMap((outcome, index) =>
    ['files', awkward, undefined].map((backend): TelemetryEvent => ({
      kind: 'request_finished',
      tenant: awkward,
      transport: 'http',
      method: methods.toolsCall,
      backend,
      tool: backend === undefined ? undefined : awkward,
      trace: undefined,
      principal: 'key:ci',
      outcome,
      code: outcome === 'error' ? -32603 : undefined,
      origin: outcome === 'error' ? 'backend' : undefined,
      reason: undefined,
      durationMs: 10 ** index,
      backendMs: 10 ** index / 3,
    })),
  ),
  { kind: 'notification_received', tenant: awkward, method: awkward },
  { kind: 'link_opened', backend: awkward, tenant: '', again: true },
  { kind: 'plugin_failed', backend: awkward },
  {
    kind: 'session_closed',
    tenant: awkward,
    transport: 'http',
    session: 'abcdefabcdef',
    reason: 'idle',
    durationMs: 1e6,
  },
]

test('the output follows the rules of promtool, with no counts and with all counts', async () => {
  const metrics = createMetrics({
    version: '1.2.3',
    node: awkward,
    read: () => ({
      sessions: { http: 1 },
      streams: 1,
      waiting: 1,
      backends: [{ name: awkward, state: 'up', links: 1, inFlight: 1, queued: 1, waiting: 1, breaker: 'closed' }],
      fabric: {
        problem: awkward,
        hasWrongKey: false,
        connected: true,
        reconnects: 1,
        nodes: 1,
        clocksAheadMs: {},
        placed: 1,
        served: 1,
        storageFailures: { store: 1, log: 1, queue: 1 },
        foreign: { sent: 1, repeated: 1, stored: 1 },
        roundTripMs: 1,
      },
    }),
  })
  try {
    expect(expositionProblems(await metrics.text())).toEqual([])
    for (const event of events) metrics.take(event)
    const text = await metrics.text()
    expect(expositionProblems(text)).toEqual([])
    expect(text).toContain(String.raw`tenant="a\"b\\c\nd,e=\"f\"}"`)
    // Names of tools come from backends: they are shown without control characters, which include line breaks.
    expect(text).toContain(String.raw`tool="a\"b\\c\\nd,e=\"f\"}"`)
  } finally {
    metrics.close()
  }
})

const counter = '# HELP a_total A.\n# TYPE a_total counter\n'
const histogram = '# HELP a_seconds A.\n# TYPE a_seconds histogram\n'

test.each([
  ['# TYPE a_total counter\na_total 1\n', 'a_total has no HELP of its own before its TYPE'],
  [`${counter}a_total 1\n${counter}`, 'a_total is there twice'],
  [`${counter}a_total 1\na_total 1\n`, 'a_total{} is there twice'],
  [`${counter}a_total{b="1",c="2"} 1\na_total{c="2",b="1"} 1\n`, 'a_total{b="1",c="2"} is there twice'],
  [`${counter}a_total -1\n`, '"a_total -1" is below zero'],
  [`${counter}a_total{b="x"y"} 1\n`, '"a_total{b="x"y"} 1" cannot be read'],
  [`${counter}b_total 1\n`, '"b_total 1" is not part of a_total'],
  [`${counter}a_total 1`, 'does not end with a line feed'],
  [counter.replaceAll('a_total', 'a'), 'a is a counter and does not end in _total'],
  [counter.replace('counter', 'gauge'), 'a_total is no counter and ends in _total'],
  [counter.replaceAll('a_total', 'a_ms_total'), 'a_ms_total is not in a base unit, or names its type'],
  [`${histogram}a_seconds_bucket{le="1"} 1\na_seconds_sum 1\na_seconds_count 1\n`, 'a_seconds{}: no +Inf'],
  [
    `${histogram}a_seconds_bucket{le="1"} 2\na_seconds_bucket{le="+Inf"} 1\na_seconds_sum 1\na_seconds_count 1\n`,
    'a_seconds{}: counts fall',
  ],
  [
    `${histogram}a_seconds_bucket{le="+Inf"} 1\na_seconds_sum 1\na_seconds_count 2\n`,
    'a_seconds{}: +Inf is not the count',
  ],
])('the rules object to %j', (text, problem) => {
  expect(expositionProblems(text)).toContain(problem)
})
