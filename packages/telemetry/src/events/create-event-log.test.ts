import { expect, test, vi } from 'vitest'
import { type TelemetryEvent, silentLog } from '@junctor/contracts'
import { createEventLog, type EventLog, type EventLogOptions, type QueriedEvents } from './create-event-log.ts'
import type { GatewayEvent } from './event.ts'

const start = Date.UTC(2025, 9, 21, 14, 32, 10) * 1000 + 123_456
const trace = '550e8400e29b41d4a716446655440000'
const principal = 'key:principal-of-somebody'

function createLog(options: Partial<EventLogOptions> = {}): EventLog {
  let time = start - 1
  return createEventLog({
    source: 'gw',
    keep: 100,
    tenants: new Map([
      ['a', ['files', 'shared']],
      ['b', ['shared']],
    ]),
    log: silentLog,
    now: () => (time += 1),
    ...options,
  })
}

function eventsOf(queried: QueriedEvents): readonly GatewayEvent[] {
  if (queried.kind === 'bad') throw new Error(queried.message)
  return queried.events
}

function toolCall(tenant: string, tool: string): TelemetryEvent {
  return { kind: 'tool_call_started', tenant, backend: 'files', tool, trace, principal }
}

function finished(overrides: Partial<Extract<TelemetryEvent, { kind: 'request_finished' }>> = {}): TelemetryEvent {
  return {
    kind: 'request_finished',
    tenant: 'a',
    transport: 'http',
    method: 'tools/call',
    backend: 'files',
    tool: 'files__read',
    trace,
    principal,
    outcome: 'success',
    code: undefined,
    origin: undefined,
    reason: undefined,
    durationMs: 12.345_678,
    backendMs: 12,
    ...overrides,
  }
}

const all: readonly TelemetryEvent[] = [
  { kind: 'node_started', node: 'n1' },
  {
    kind: 'session_opened',
    tenant: 'a',
    transport: 'http',
    principal,
    revision: '2025-11-25',
    session: 'abcdefabcdef',
    client: 'inspector',
  },
  { kind: 'link_opened', backend: 'files', tenant: 'a', again: false },
  toolCall('a', 'files__read'),
  finished(),
  finished({ outcome: 'error', code: -32_000, origin: 'backend', reason: 'backend_unavailable' }),
  finished({ outcome: 'tool_error', origin: 'backend' }),
  finished({ tool: undefined, method: 'tools/list' }),
  {
    kind: 'call_retried',
    tenant: 'a',
    backend: 'files',
    tool: 'files__read',
    trace: undefined,
    principal: 'key:bob',
    loss: 'cut',
    result: 'sent',
  },
  { kind: 'rate_exceeded', tenant: 'a', scope: 'tools', refusals: 7 },
  { kind: 'rate_exceeded', tenant: 'a', scope: 'tools', refusals: undefined },
  { kind: 'link_failed', backend: 'files', tenant: 'a', phase: 'break', message: 'it ended', retryAfterMs: 500 },
  { kind: 'link_closed', backend: 'files', tenant: 'a', reason: 'idle' },
  { kind: 'session_closed', tenant: 'a', transport: 'http', session: 'abcdefabcdef', reason: 'idle', durationMs: 5 },
  { kind: 'config_reloaded', result: 'failure', problems: 2, backends: [] },
  { kind: 'node_stopped', node: 'n1' },
]

test('every event has the common members first, then its own', () => {
  const log = createLog()
  for (const event of all) log.take(event)
  const events = eventsOf(log.query('a', {}))
  for (const event of events)
    expect(Object.keys(event).slice(0, 5)).toEqual(['timestamp', 'trace_id', 'status', 'event_type', 'source'])
  const call = { tenant: 'a', backend: 'files', tool: 'files__read' }
  const session = { tenant: 'a', session: 'abcdefabcdef', transport: 'http' }
  expect(events).toMatchObject([
    { status: 'success', event_type: 'gateway.started' },
    {
      status: 'success',
      event_type: 'session.opened',
      ...session,
      revision: '2025-11-25',
      client: 'inspector',
    },
    { status: 'success', event_type: 'gateway.backend_started', tenant: 'a', backend: 'files', again: false },
    { status: 'pending', event_type: 'gateway.tool_call', ...call },
    { status: 'success', event_type: 'gateway.tool_call', ...call, duration_ms: 12.346 },
    {
      status: 'failure',
      event_type: 'gateway.tool_call',
      ...call,
      duration_ms: 12.346,
      error: 'backend_unavailable',
      error_code: -32_000,
    },
    { status: 'failure', event_type: 'gateway.tool_call', ...call, duration_ms: 12.346, error: 'tool_error' },
    {
      status: 'pending',
      event_type: 'gateway.call_retried',
      tenant: 'a',
      backend: 'files',
      tool: 'files__read',
      loss: 'cut',
      result: 'sent',
    },
    { status: 'failure', event_type: 'gateway.rate_exceeded', tenant: 'a', limit: 'tools', refusals: 7 },
    {
      status: 'failure',
      event_type: 'gateway.backend_failed',
      tenant: 'a',
      backend: 'files',
      phase: 'break',
      retry_after_ms: 500,
    },
    { status: 'success', event_type: 'gateway.backend_stopped', tenant: 'a', backend: 'files', reason: 'idle' },
    { status: 'success', event_type: 'session.closed', ...session, reason: 'idle', duration_ms: 5 },
    { status: 'failure', event_type: 'gateway.reloaded', problems: 2, backends: [] },
    { status: 'success', event_type: 'gateway.stopped' },
  ])
  expect(Object.keys(events[0] ?? {})).toHaveLength(5)
  expect(JSON.stringify(events)).not.toContain(principal)
})

test('jobs have an event for each step', () => {
  const log = createLog()
  const job = {
    job: 'abcdefabcdef',
    purpose: 'task',
    tenant: 'a',
    method: 'tools/call',
    trace: undefined,
    principal,
  } as const
  log.take({ kind: 'job_submitted', ...job })
  log.take({ kind: 'job_started', attempt: 1, ...job })
  log.take({ kind: 'job_ended', state: 'succeeded', durationMs: 1, ...job })
  log.take({ kind: 'job_ended', state: 'cancelled', durationMs: 2, ...job })
  const shown = { tenant: 'a', job: 'abcdefabcdef', purpose: 'task', method: 'tools/call' }
  const events = eventsOf(log.query('a', {}))
  expect(events).toMatchObject([
    { status: 'pending', event_type: 'job.submitted', ...shown },
    { status: 'pending', event_type: 'job.started', ...shown, attempt: 1 },
    { status: 'success', event_type: 'job.ended', ...shown, state: 'succeeded', duration_ms: 1 },
    { status: 'failure', event_type: 'job.ended', ...shown, state: 'cancelled', duration_ms: 2 },
  ])
  expect(eventsOf(log.query('b', {}))).toEqual([])
  expect(JSON.stringify(events)).not.toContain(principal)
})

test('time and trace have the format of the document', () => {
  const log = createLog()
  log.take(toolCall('a', 'read'))
  expect(JSON.stringify(eventsOf(log.query('a', {}))[0])).toMatch(
    /^\{"timestamp":"2025-10-21T14:32:10\.123456\+00:00","trace_id":"550e8400-e29b-41d4-a716-446655440000","status":"pending","event_type":"gateway\.tool_call","source":"gw",/,
  )
})

test('an event without a request has the trace of the node', () => {
  const log = createLog()
  log.take({ kind: 'node_started', node: 'n1' })
  log.take({ ...toolCall('a', 'read'), trace: undefined } as TelemetryEvent)
  log.take({ kind: 'node_stopped', node: 'n1' })
  const traces = new Set(eventsOf(log.query('a', {})).map((event) => event.trace_id))
  expect(traces.size).toBe(1)
  const [own = ''] = traces
  expect(own).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
  expect(eventsOf(log.query('a', { trace_id: own }))).toHaveLength(3)
  expect(eventsOf(createLog().query('a', { trace_id: own }))).toEqual([])
})

test('a tenant sees its own events and those of the node, and nothing of another tenant', () => {
  const log = createLog()
  log.take({ kind: 'node_started', node: 'n1' })
  log.take(toolCall('a', 'of a'))
  log.take(toolCall('b', 'of b'))
  log.take({ kind: 'link_opened', backend: 'shared', tenant: '', again: false })
  log.take({ kind: 'link_opened', backend: 'files', tenant: '', again: true })
  log.take({ kind: 'link_opened', backend: 'shared', tenant: 'b', again: true })
  log.take(toolCall('unknown', 'lost'))
  log.take({ kind: 'config_reloaded', result: 'success', problems: 0, backends: ['files', 'shared', 'secret'] })
  const seen = (tenant: string): unknown[] =>
    eventsOf(log.query(tenant, {})).map((event) => event['tool'] ?? event['backend'] ?? event['backends'])
  expect(seen('a')).toEqual([undefined, 'of a', 'shared', 'files', ['files', 'shared']])
  expect(seen('b')).toEqual([undefined, 'of b', 'shared', 'shared', ['shared']])
  expect(seen('unknown')).toEqual([])
})

test('the operator sees the events of all tenants, each once', () => {
  const log = createLog()
  log.take(toolCall('b', 'of b'))
  log.take({ kind: 'link_opened', backend: 'shared', tenant: '', again: false })
  log.take(toolCall('a', 'of a'))
  log.take({ kind: 'config_reloaded', result: 'success', problems: 0, backends: ['secret'] })
  expect(
    eventsOf(log.query(undefined, {})).map((event) => event['tool'] ?? event['backend'] ?? event['backends']),
  ).toEqual(['of b', 'shared', 'of a', ['secret']])
})

test('one tenant cannot displace the events of another, nor those of the node', () => {
  const log = createLog({ keep: 10 })
  log.take({ kind: 'node_started', node: 'n1' })
  log.take(toolCall('b', 'first'))
  for (let call = 0; call < 1000; call += 1) log.take(toolCall('a', `call ${call}`))
  expect(eventsOf(log.query('b', {})).map((event) => event['tool'])).toEqual([undefined, 'first'])
  expect(eventsOf(log.query('a', {})).map((event) => event['tool'])).toEqual([
    undefined,
    ...Array.from({ length: 10 }, (_, index) => `call ${990 + index}`),
  ])
})

test('the newest matching events are returned, oldest first', () => {
  const log = createLog({ keep: 5000 })
  for (let call = 0; call < 2000; call += 1) {
    log.take(toolCall('a', `${call}`))
    log.take(finished({ tool: `${call}` }))
  }
  const tools = (asked: object): unknown[] => eventsOf(log.query('a', asked)).map((event) => event['tool'])
  expect(tools({ status: 'pending', limit: 3 })).toEqual(['1997', '1998', '1999'])
  expect(tools({})).toHaveLength(100)
  expect(tools({ limit: 1000 })).toHaveLength(1000)
  expect(tools({ event_type: 'session.opened' })).toEqual([])
})

test('"since" is a time or a span before now', () => {
  const log = createLog()
  log.take(toolCall('a', 'one'))
  log.take(toolCall('a', 'two'))
  const tools = (since: string): unknown[] => eventsOf(log.query('a', { since })).map((event) => event['tool'])
  expect(tools('2025-10-21T14:32:10.123457+00:00')).toEqual(['two'])
  expect(tools('1h')).toEqual(['one', 'two'])
  expect(tools('2025-10-21T14:32:11Z')).toEqual([])
})

test('an invalid query is refused', () => {
  expect(createLog().query('a', { limit: -1 })).toEqual({
    kind: 'bad',
    message: 'limit: expected an integer from 1 to 1000, got -1',
  })
})

test('after a reload, remaining tenants keep their events, and those of removed tenants are deleted', () => {
  const log = createLog()
  log.take(toolCall('a', 'old a'))
  log.take(toolCall('b', 'old b'))
  log.setTenants(
    new Map([
      ['a', ['shared']],
      ['c', ['files']],
    ]),
  )
  log.take(toolCall('b', 'late'))
  log.take({ kind: 'link_opened', backend: 'files', tenant: '', again: false })
  log.setTenants(
    new Map([
      ['a', ['shared', 'files']],
      ['b', []],
      ['c', ['files']],
    ]),
  )
  const seen = (tenant: string): unknown[] =>
    eventsOf(log.query(tenant, {})).map((event) => event['tool'] ?? event['backend'])
  expect(seen('a')).toEqual(['old a'])
  expect(seen('b')).toEqual([])
  expect(seen('c')).toEqual(['files'])
})

test('followers receive the events that they asked for and may see, immediately', async () => {
  const log = createLog()
  const received: Record<string, unknown[]> = { a: [], b: [], stops: [], all: [] }
  const receive = (follower: string) => (event: GatewayEvent) =>
    received[follower]?.push(event['tool'] ?? event['backends'] ?? event['backend'])
  const followers = [
    log.follow('a', {}, receive('a')),
    log.follow('b', {}, receive('b')),
    log.follow(undefined, { event_type: 'gateway.backend_stopped' }, receive('stops')),
    log.follow(undefined, {}, receive('all')),
  ]
  log.take(toolCall('a', 'of a'))
  log.take(toolCall('b', 'of b'))
  log.take({ kind: 'link_closed', backend: 'files', tenant: '', reason: 'idle' })
  log.take({ kind: 'config_reloaded', result: 'success', problems: 0, backends: ['files', 'shared'] })
  for (const followed of followers) if (followed.kind === 'events') await followed.following.close()
  log.take(toolCall('a', 'unheard'))
  expect(received).toEqual({
    a: ['of a', 'files', ['files', 'shared']],
    b: ['of b', ['shared']],
    stops: ['files'],
    all: ['of a', 'of b', 'files', ['files', 'shared']],
  })
})

test('a follower that throws is removed, and does not affect other followers', () => {
  const error = vi.fn<typeof silentLog.error>()
  const log = createLog({ log: { ...silentLog, error } })
  const thrower = vi.fn<() => void>(() => {
    throw new Error('no')
  })
  const listener = vi.fn<() => void>()
  log.follow(undefined, {}, thrower)
  log.follow('a', {}, listener)
  log.take(toolCall('a', 'one'))
  log.take(toolCall('a', 'two'))
  expect(listener).toHaveBeenCalledTimes(2)
  expect(thrower).toHaveBeenCalledOnce()
  expect(error).toHaveBeenCalledOnce()
})

test('each event of every tenant is written as one line', () => {
  const lines: string[] = []
  const log = createLog({ write: (line) => lines.push(line) })
  log.take(toolCall('a', 'two\nlines'))
  log.take(toolCall('removed', 'late'))
  log.take(finished({ tool: undefined }))
  expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([{ tool: 'two\nlines' }, { tool: 'late' }])
  expect(lines.join('')).not.toContain('\n')
})

test('no event contains a secret, and no tenant sees the text of an error of this machine', () => {
  const session = `s_${'a'.repeat(43)}`
  const lines: string[] = []
  const log = createLog({ write: (line) => lines.push(line) })
  const message = 'spawn /opt/files ENOENT, connecting to https://user:canary@host/?token=canary'
  log.take({ kind: 'link_failed', backend: 'files', tenant: 'a', phase: 'open', message, retryAfterMs: 0 })
  log.take({
    kind: 'session_opened',
    tenant: 'a',
    transport: 'http',
    principal: 'key:canary',
    revision: '2025-11-25',
    session: 'abcdefabcdef',
    client: `Bearer canary ${session}`,
  })
  log.take(finished({ outcome: 'error', code: -32_000, origin: 'backend', reason: 'token=canary' }))
  const forTenant = JSON.stringify(eventsOf(log.query('a', {})))
  const forAll = JSON.stringify(eventsOf(log.query(undefined, {})))
  for (const shown of [forTenant, forAll, lines.join('\n')]) {
    expect(shown).not.toContain('canary')
    expect(shown).not.toContain(session)
  }
  expect(forTenant).not.toContain('/opt/files')
  expect(forAll).toContain('spawn /opt/files ENOENT')
  expect(forTenant).toContain('"error":"error","error_code":-32000')
})
