import type { TelemetryEvent, RequestEvent } from '@junctor/contracts'
import { methods } from '@junctor/protocol'
import { afterEach, expect, test, vi } from 'vitest'
import { createMetrics, type Metrics } from './create-metrics.ts'
import type { NodeGauges } from './node-gauges.ts'

const fabric: NodeGauges['fabric'] = {
  problem: undefined,
  hasWrongKey: false,
  connected: true,
  reconnects: 0,
  nodes: 1,
  clocksAheadMs: {},
  placed: 0,
  served: 0,
  storageFailures: { store: 0, log: 0, queue: 0 },
  foreign: { sent: 0, repeated: 0, stored: 0 },
  roundTripMs: undefined,
}
const nothing: NodeGauges = { sessions: {}, streams: 0, waiting: 0, backends: [], fabric }
const open: Metrics[] = []

afterEach(() => {
  for (const metrics of open.splice(0)) metrics.close()
})

function metricsOf(gauges: NodeGauges = nothing): Metrics {
  const metrics = createMetrics({ version: '1.2.3', node: 'n1', read: () => gauges })
  open.push(metrics)
  return metrics
}

type Finished = Extract<RequestEvent, { kind: 'request_finished' }>

const finished: Finished = {
  kind: 'request_finished',
  tenant: 'default',
  transport: 'http',
  method: methods.toolsCall,
  backend: 'files',
  tool: 'files_read',
  trace: undefined,
  principal: 'key:ci',
  outcome: 'success',
  code: undefined,
  origin: undefined,
  reason: undefined,
  durationMs: 12.5,
  backendMs: 12.25,
}

/** Returns the lines of one metric, without those of its family and without comments. */
async function linesOf(metrics: Metrics, name: string): Promise<string[]> {
  const text = await metrics.text()
  return text.split('\n').filter((line) => line.startsWith(name) && /^[{ ]/.test(line.slice(name.length)))
}

async function linesAfter(events: readonly TelemetryEvent[], name: string): Promise<string[]> {
  const metrics = metricsOf()
  for (const event of events) metrics.take(event)
  return linesOf(metrics, name)
}

test('requests are counted by all labels', async () => {
  const events: TelemetryEvent[] = [
    finished,
    finished,
    { ...finished, tenant: 'acme' },
    { ...finished, outcome: 'tool_error' },
    { ...finished, method: methods.toolsList, backend: undefined, tool: undefined, transport: 'stdio' },
  ]
  expect(await linesAfter(events, 'mcp_requests_total')).toEqual([
    'mcp_requests_total{tenant="default",method="tools/call",transport="http",backend="files",outcome="success"} 2',
    'mcp_requests_total{tenant="default",method="tools/call",transport="http",backend="files",outcome="tool_error"} 1',
    'mcp_requests_total{tenant="default",method="tools/list",transport="stdio",backend="",outcome="success"} 1',
    'mcp_requests_total{tenant="acme",method="tools/call",transport="http",backend="files",outcome="success"} 1',
  ])
})

test('durations are in seconds, in cumulative buckets', async () => {
  const metrics = metricsOf()
  for (const durationMs of [0.5, 0.6, 12.5, 400_000]) metrics.take({ ...finished, durationMs, backendMs: durationMs })
  const labels = 'method="tools/call",backend="files",outcome="success"'
  const buckets = await linesOf(metrics, 'mcp_request_duration_seconds_bucket')
  expect(buckets.map((line) => line.replace(`mcp_request_duration_seconds_bucket{${labels},le=`, ''))).toEqual([
    '"0.0005"} 1',
    '"0.001"} 2',
    '"0.0025"} 2',
    '"0.005"} 2',
    '"0.01"} 2',
    '"0.025"} 3',
    '"0.05"} 3',
    '"0.1"} 3',
    '"0.25"} 3',
    '"0.5"} 3',
    '"1"} 3',
    '"2.5"} 3',
    '"5"} 3',
    '"10"} 3',
    '"30"} 3',
    '"60"} 3',
    '"300"} 3',
    '"+Inf"} 4',
  ])
  expect(await linesOf(metrics, 'mcp_request_duration_seconds_sum')).toEqual([
    `mcp_request_duration_seconds_sum{${labels}} 400.0136`,
  ])
  expect(await linesOf(metrics, 'mcp_request_duration_seconds_count')).toEqual([
    `mcp_request_duration_seconds_count{${labels}} 4`,
  ])
})

test('durations of several tenants and transports are one series', async () => {
  const events: TelemetryEvent[] = [finished, { ...finished, tenant: 'acme' }, { ...finished, transport: 'stdio' }]
  expect(await linesAfter(events, 'mcp_request_duration_seconds_count')).toEqual([
    'mcp_request_duration_seconds_count{method="tools/call",backend="files",outcome="success"} 3',
  ])
})

test('overhead is the duration without the part of the backend, and at least zero', async () => {
  const events: TelemetryEvent[] = [finished, { ...finished, durationMs: 1, backendMs: 1.5 }]
  expect(await linesAfter(events, 'mcp_gateway_overhead_seconds_sum')).toEqual([
    'mcp_gateway_overhead_seconds_sum 0.00025',
  ])
  expect(await linesAfter(events, 'mcp_gateway_overhead_seconds_count')).toEqual([
    'mcp_gateway_overhead_seconds_count 2',
  ])
})

test('tool calls are counted by tool', async () => {
  const events: TelemetryEvent[] = [finished, { ...finished, outcome: 'tool_error' }, { ...finished, tool: undefined }]
  expect(await linesAfter(events, 'mcp_tool_calls_total')).toEqual([
    'mcp_tool_calls_total{backend="files",tool="files_read",outcome="success"} 1',
    'mcp_tool_calls_total{backend="files",tool="files_read",outcome="tool_error"} 1',
  ])
})

test('notifications have the method as their only label, and methods that MCP does not define are other', async () => {
  const events = [
    'notifications/initialized',
    'notifications/initialized',
    'x',
    '__proto__',
    'Notifications/Progress',
  ].map((method): TelemetryEvent => ({ kind: 'notification_received', tenant: 'default', method }))
  expect(await linesAfter(events, 'mcp_notifications_total')).toEqual([
    'mcp_notifications_total{method="notifications/initialized"} 2',
    'mcp_notifications_total{method="other"} 3',
  ])
})

test('the number of series is bounded for any input of clients and backends', async () => {
  const metrics = metricsOf()
  for (let index = 0; index < 3_000; index += 1) {
    metrics.take({
      ...finished,
      method: `m${index}`,
      tool: `t${index}`,
      outcome: 'error',
      code: index + 1_000,
      origin: 'backend',
    })
    metrics.take({ kind: 'notification_received', tenant: 'default', method: `n${index}` })
    metrics.take({
      kind: 'request_refused',
      tenant: 'default',
      method: `r${index}`,
      code: -index - 100_000,
      origin: 'client',
    })
  }
  expect(await linesOf(metrics, 'mcp_requests_total')).toHaveLength(1)
  expect(await linesOf(metrics, 'mcp_notifications_total')).toHaveLength(1)
  const tools = await linesOf(metrics, 'mcp_tool_calls_total')
  expect(tools).toHaveLength(1_001)
  expect(tools.at(-1)).toBe('mcp_tool_calls_total{backend="files",tool="other",outcome="error"} 2000')
  expect(await linesOf(metrics, 'mcp_errors_total')).toEqual([
    'mcp_errors_total{code="other",origin="backend"} 3000',
    'mcp_errors_total{code="other",origin="client"} 3000',
  ])
})

test('what plugins count has a bounded number of series for each backend', async () => {
  const metrics = metricsOf()
  const count = (backend: string, counter: string, value: string, by = 1): void =>
    metrics.take({ kind: 'plugin_counted', backend, counter, value, by })
  for (let index = 0; index < 3_000; index += 1) {
    count('loud', `c${index}`, '')
    count('words', 'one', `v${index}`)
  }
  count('sky', 'answers', 'cached', 2)
  count('sky', 'answers', 'cached', 0.5)
  const lines = await linesOf(metrics, 'junctor_plugin_counts_total')
  expect(lines).toHaveLength(101 + 101 + 1)
  expect(lines).toContain('junctor_plugin_counts_total{backend="loud",counter="other",value=""} 2900')
  expect(lines).toContain('junctor_plugin_counts_total{backend="words",counter="one",value="other"} 2900')
  expect(lines.at(-1)).toBe('junctor_plugin_counts_total{backend="sky",counter="answers",value="cached"} 2.5')
})

test('errors are counted by code and origin', async () => {
  const events: TelemetryEvent[] = [
    { ...finished, outcome: 'error', code: -32602, origin: 'client', reason: 'unknown_tool' },
    { ...finished, outcome: 'deadline', code: -32000, origin: 'backend', reason: 'deadline_exceeded' },
    { ...finished, outcome: 'cancelled' },
    { kind: 'request_refused', tenant: 'default', method: methods.toolsList, code: -32602, origin: 'client' },
  ]
  expect(await linesAfter(events, 'mcp_errors_total')).toEqual([
    'mcp_errors_total{code="-32602",origin="client"} 2',
    'mcp_errors_total{code="-32000",origin="backend"} 1',
  ])
})

test('ended sessions are counted, with their durations', async () => {
  const closed: TelemetryEvent = {
    kind: 'session_closed',
    tenant: 'default',
    transport: 'http',
    session: 'abcdefabcdef',
    reason: 'idle',
    durationMs: 90_000,
  }
  expect(await linesAfter([closed], 'mcp_sessions_closed_total')).toContain(
    'mcp_sessions_closed_total{reason="idle"} 1',
  )
  expect(await linesAfter([closed], 'mcp_session_duration_seconds_sum')).toEqual([
    'mcp_session_duration_seconds_sum 90',
  ])
})

test.each<readonly [TelemetryEvent, string, string]>([
  [
    { kind: 'notification_dropped', reason: 'overflow', count: 7 },
    'mcp_notifications_dropped_total',
    '{reason="overflow"} 7',
  ],
  [
    {
      kind: 'job_ended',
      state: 'failed',
      durationMs: 5,
      job: 'abcdefabcdef',
      purpose: 'task',
      tenant: 'a',
      method: 'tools/call',
      trace: undefined,
      principal: 'key:bob',
    },
    'mcp_jobs_total',
    '{purpose="task",state="failed"} 1',
  ],
  [{ kind: 'stream_resumed', result: 'unknown' }, 'mcp_stream_resumes_total', '{result="unknown"} 1'],
  [
    { kind: 'rate_exceeded', tenant: 'a', scope: 'principal', refusals: undefined },
    'mcp_rate_limited_total',
    '{tenant="a",limit="principal"} 1',
  ],
  [{ kind: 'stream_overflowed', transport: 'http' }, 'mcp_stream_overflow_total', ' 1'],
  [
    { kind: 'link_opened', backend: 'files', tenant: '', again: true },
    'mcp_backend_restarts_total',
    '{backend="files"} 1',
  ],
  [
    { kind: 'output_discarded', backend: 'files', reason: 'not_utf8' },
    'mcp_backend_stdout_discarded_total',
    '{reason="not_utf8"} 1',
  ],
  [
    { kind: 'access_refused', transport: 'http', tenant: 'x', reason: 'expired' },
    'mcp_auth_failures_total',
    '{reason="expired"} 1',
  ],
  [{ kind: 'issuer_keys_fetched', result: 'failure' }, 'mcp_jwks_refresh_total', '{result="failure"} 1'],
  [
    {
      kind: 'call_retried',
      tenant: 'a',
      backend: 'files',
      tool: undefined,
      trace: undefined,
      principal: 'p',
      loss: 'cut',
      result: 'sent',
    },
    'mcp_backend_retries_total',
    '{backend="files",result="sent"} 1',
  ],
  [{ kind: 'plugin_failed', backend: 'files' }, 'mcp_plugin_failures_total', '{backend="files"} 1'],
  [{ kind: 'data_unreadable', data: 'session' }, 'junctor_unreadable_data_total', '{kind="session"} 1'],
  [{ kind: 'internal_error', where: 'timer' }, 'junctor_internal_errors_total', '{where="timer"} 1'],
])('%j is counted', async (event, name, rest) => {
  expect(await linesAfter([event], name)).toContain(`${name}${rest}`)
})

test('the first link to a backend is not a restart', async () => {
  const first: TelemetryEvent = { kind: 'link_opened', backend: 'files', tenant: '', again: false }
  expect(await linesAfter([first], 'mcp_backend_restarts_total')).toEqual([])
})

test('the gauges are read once for each scrape', async () => {
  const read = vi.fn<() => NodeGauges>(() => ({
    sessions: { http: 3 },
    streams: 2,
    waiting: 7,
    backends: [
      { name: 'files', state: 'up', links: 2, inFlight: 4, queued: 1, waiting: 5, breaker: 'half_open' },
      { name: 'mail', state: 'crash_looping', links: 0, inFlight: 0, queued: 0, waiting: 0, breaker: 'open' },
      { name: 'web', state: 'starting', links: 0, inFlight: 0, queued: 0, waiting: 0, breaker: 'closed' },
    ],
    fabric: {
      problem: 'no room',
      hasWrongKey: false,
      connected: true,
      reconnects: 2,
      nodes: 3,
      clocksAheadMs: {},
      placed: 4,
      served: 5,
      storageFailures: { store: 6, log: 7, queue: 8 },
      foreign: { sent: 9, repeated: 10, stored: 11 },
      roundTripMs: 1.5,
    },
  }))
  const metrics = createMetrics({ version: '1.2.3', node: 'n1', read })
  open.push(metrics)
  expect(read).not.toHaveBeenCalled()
  const lines = (await metrics.text()).split('\n')
  expect(read).toHaveBeenCalledOnce()
  expect(lines).toEqual(
    expect.arrayContaining([
      'mcp_sessions_active{transport="http"} 3',
      'mcp_sessions_active{transport="stdio"} 0',
      'mcp_streams_active 2',
      'mcp_requests_waiting 7',
      'mcp_backend_links{backend="files"} 2',
      'mcp_inflight_requests{backend="files"} 4',
      'mcp_queue_depth{backend="files"} 1',
      'mcp_backend_calls_waiting{backend="files"} 5',
      'mcp_backend_up{backend="files"} 1',
      'mcp_backend_up{backend="mail"} 0',
      'mcp_backend_up{backend="web"} 0',
      'mcp_backend_breaker_state{backend="files"} 1',
      'mcp_backend_breaker_state{backend="mail"} 2',
      'mcp_backend_breaker_state{backend="web"} 0',
      'mcp_backend_restarts_total{backend="web"} 0',
      'mcp_plugin_failures_total{backend="web"} 0',
      'mcp_build_info{version="1.2.3",node="n1"} 1',
      'junctor_fabric_connected 1',
      'junctor_fabric_healthy 0',
      'junctor_fabric_reconnects_total 2',
      'junctor_fabric_nodes 3',
      'junctor_fabric_calls{direction="placed"} 4',
      'junctor_fabric_calls{direction="served"} 5',
      'junctor_fabric_storage_failures_total{kind="store"} 6',
      'junctor_fabric_storage_failures_total{kind="queue"} 8',
      'junctor_fabric_foreign_total{kind="sent"} 9',
      'junctor_fabric_foreign_total{kind="repeated"} 10',
      'junctor_fabric_foreign_total{kind="stored"} 11',
      'junctor_fabric_round_trip_seconds 0.0015',
    ]),
  )
})

test('the last reload is shown with its result and its time', async () => {
  const before = Date.now() / 1_000
  const metrics = metricsOf()
  expect(await linesOf(metrics, 'mcp_config_last_reload_successful')).toEqual(['mcp_config_last_reload_successful 1'])
  metrics.take({ kind: 'config_reloaded', result: 'failure', problems: 2, backends: [] })
  expect(await linesOf(metrics, 'mcp_config_last_reload_successful')).toEqual(['mcp_config_last_reload_successful 0'])
  const [line = ''] = await linesOf(metrics, 'mcp_config_last_reload_timestamp_seconds')
  const at = Number(line.split(' ')[1])
  expect(at).toBeGreaterThanOrEqual(before)
  expect(at).toBeLessThanOrEqual(Date.now() / 1_000)
})

test('nodes in one process have separate counts', async () => {
  const [left, right] = [metricsOf(), metricsOf()]
  left.take(finished)
  expect(await linesOf(left, 'mcp_requests_total')).toHaveLength(1)
  expect(await linesOf(right, 'mcp_requests_total')).toEqual([])
})

test('a reason that has not occurred yet has a 0', async () => {
  const lines = (await metricsOf().text()).split('\n')
  expect(lines).toEqual(
    expect.arrayContaining([
      'mcp_auth_failures_total{reason="expired"} 0',
      'mcp_sessions_closed_total{reason="idle"} 0',
      'mcp_stream_overflow_total 0',
    ]),
  )
})
