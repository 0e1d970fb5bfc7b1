import { describe, expect, it } from 'vitest'
import type { Exchange, Outcome } from '@junctor/exchange'
import { silentLog, type TelemetryEvent } from '@junctor/contracts'
import { payloadOf } from '@junctor/jsonrpc'
import { createRequest, eventually, recordExchange } from '@junctor/testkit'
import { createHome, createTestPool, noInnerCalls } from '../../../test/support/home.ts'
import { createManualClock } from '../../../test/support/manual-clock.ts'
import { createTestBackend } from '../../../test/support/test-backend.ts'
import { tenantOf } from '../../../test/support/test-nodes.ts'
import type { BackendEntry } from '../../shared/backend-entry.ts'
import { breakerTimeouts } from '../links/breaker.ts'
import { createLogLevels } from './log-levels.ts'
import { Call } from './call.ts'
import { BackendCalls } from './backend-calls.ts'
import { CallGate } from './call-gate.ts'

function setUp(entry: Partial<BackendEntry> = {}) {
  const clock = createManualClock()
  const events: TelemetryEvent[] = []
  const pool = createTestPool(clock, {}, (event) => events.push(event))
  const backend = createTestBackend({ prefix: 'files', timeoutMs: 1_000, ...entry })
  const { session } = createHome('a', tenantOf([backend.entry]), pool)
  const calls = new BackendCalls({
    pool,
    levels: createLogLevels(clock),
    gate: new CallGate(clock, 100),
    inner: noInnerCalls,
    clock,
    emit: (event) => events.push(event),
    log: silentLog,
    random: () => 0,
  })
  const request = createRequest('tools/call', { name: 'echo' })
  const { exchange } = recordExchange({ request, init: { deadline: Infinity } })
  const run = () => calls.run(new Call(session, request, exchange), backend.entry, request)
  /** Lets this many calls, of this session or another, time out together. */
  const timeOut = async (times: number, home = session) => {
    backend.behaviour.call = forever
    const outcomes = Array.from({ length: times }, async () => {
      const { exchange: own } = recordExchange({ request, init: { deadline: Infinity } })
      return calls.run(new Call(home, request, own), backend.entry, request)
    })
    await eventually(() => expect(clock.waiting).toBe(times))
    clock.advance(1_000)
    await Promise.all(outcomes)
  }
  const other = () => createHome('b', tenantOf([backend.entry]), pool).session
  return {
    calls,
    request,
    timeOut,
    other,
    clock,
    pool,
    backend,
    session,
    exchange,
    run,
    events,
    behaviour: backend.behaviour,
  }
}

/** `data` of an error. */
function dataOf(outcome: Outcome): unknown {
  return outcome.kind === 'error' ? outcome.error.data?.value() : outcome
}

/** The backends that were reported because their code threw. */
function failuresOf(events: readonly TelemetryEvent[]): readonly string[] {
  return events.flatMap((event) => (event.kind === 'plugin_failed' ? [event.backend] : []))
}

const forever = () => new Promise<never>(() => {})

describe('BackendCalls', () => {
  it('returns the result in public names, immediately when the link is open and the backend is quick', async () => {
    const { run, behaviour, session, backend } = setUp()
    const content = [{ type: 'resource_link', uri: 'file:///a', name: 'a' }]
    behaviour.call = () => ({ kind: 'complete', result: payloadOf({ content }) })
    await run()
    expect(run()).toMatchObject({ kind: 'complete' })
    const outcome = await run()
    expect(outcome.kind === 'complete' && outcome.result.value()).toEqual({
      content: [{ type: 'resource_link', uri: 'files+file:///a', name: 'a' }],
    })
    expect(session.slot(backend.entry).holds).toBe(0)
  })

  it.each([
    ['answers late', async () => ({ kind: 'complete', result: payloadOf({}) }) as const, 'complete'],
    ['fails', () => Promise.reject(new Error('broken')), 'error'],
  ])('holds the link until a backend that %s has answered', async (_, call, kind) => {
    const { run, behaviour, session, backend } = setUp()
    behaviour.call = call
    expect((await run()).kind).toBe(kind)
    expect(session.slot(backend.entry).holds).toBe(0)
  })

  it.each([
    [
      'throws',
      () => {
        throw new Error('broken')
      },
    ],
    ['rejects', () => Promise.reject(new Error('broken'))],
    ['gives an error without a code', () => ({ kind: 'error', error: new Error('broken') as never }) as const],
    [
      'gives an error with bare data',
      () => ({ kind: 'error', error: { code: 1, message: 'broken', data: 'broken' as never } }) as const,
    ],
  ])('a backend that %s fails the call without revealing its error, and is counted', async (_, call) => {
    const { run, behaviour, events, session, backend } = setUp()
    behaviour.call = call
    const outcome = await run()
    expect(dataOf(outcome)).toMatchObject({ reason: 'internal_error' })
    expect(JSON.stringify(outcome)).not.toContain('broken')
    expect(failuresOf(events)).toEqual([backend.entry.backend.name])
    expect(session.slot(backend.entry).holds).toBe(0)
  })

  it('ends a call that takes too long, also when a listener throws', async () => {
    const { run, behaviour, clock, events, session, backend } = setUp()
    const reasons: string[] = []
    const called = Promise.withResolvers<Exchange>()
    behaviour.call = (_, exchange) => {
      exchange.onEnd({
        ended() {
          throw new Error('a fault of the backend')
        },
      })
      exchange.onEnd({ ended: (reason) => void reasons.push(reason) })
      called.resolve(exchange)
      return forever()
    }
    const outcome = run()
    const exchange = await called.promise
    clock.advance(999)
    expect(exchange.ended).toBeUndefined()
    clock.advance(1)
    expect(dataOf(await outcome)).toMatchObject({ reason: 'deadline_exceeded' })
    expect([reasons, exchange.signal.aborted, clock.waiting]).toEqual([['deadline'], true, 0])
    expect(failuresOf(events)).toEqual([backend.entry.backend.name])
    expect(session.slot(backend.entry).holds).toBe(0)
  })

  it('does not run a call that was cancelled while its link opened', async () => {
    const { run, behaviour, exchange, session, backend } = setUp()
    const opening = Promise.withResolvers<void>()
    behaviour.opening = () => opening.promise
    const outcome = run()
    exchange.end('cancelled')
    opening.resolve()
    expect((await outcome).kind).toBe('error')
    expect(backend.links[0]?.requests).toEqual([])
    expect(session.slot(backend.entry).holds).toBe(0)
  })

  it('opens nothing for a session that has ended', async () => {
    const { run, session, backend } = setUp()
    session.ended = true
    expect(dataOf(await run())).toMatchObject({ reason: 'session_unknown' })
    expect(backend.links).toEqual([])
  })

  it('reports when a backend that cannot be reached may be tried again', async () => {
    const { run, behaviour } = setUp({ retry: false })
    behaviour.opening = () => Promise.reject(new Error('refused'))
    expect(dataOf(await run())).toMatchObject({ reason: 'backend_unavailable', retryAfterMs: 500 })
  })
})

describe('the breaker of a link whose calls time out in a row', () => {
  /** The states that it went through. */
  const statesOf = (events: readonly TelemetryEvent[]): readonly string[] =>
    events.flatMap((event) => (event.kind === 'breaker_changed' ? [event.state] : []))

  it('refuses further calls without sending them, reports when to retry, and does not affect other links', async () => {
    const { run, calls, request, timeOut, other, exchange, backend, events, behaviour } = setUp()
    await timeOut(breakerTimeouts - 1)
    expect(statesOf(events)).toEqual([])
    await timeOut(1)
    expect(dataOf(run() as Outcome)).toMatchObject({ reason: 'backend_unavailable', retryAfterMs: 5_000 })
    expect(backend.links[0]?.requests.length).toBe(breakerTimeouts)
    expect(statesOf(events)).toEqual(['open'])
    behaviour.call = () => ({ kind: 'complete', result: payloadOf({}) })
    expect(await calls.run(new Call(other(), request, exchange), backend.entry, request)).toMatchObject({
      kind: 'complete',
    })
  })

  it('starts a new count after every answer, including errors', async () => {
    const { run, timeOut, events, behaviour } = setUp()
    await timeOut(breakerTimeouts - 1)
    behaviour.call = () => ({ kind: 'error', error: { code: 1, message: 'no' } })
    await run()
    await timeOut(breakerTimeouts - 1)
    expect(statesOf(events)).toEqual([])
  })

  it('lets one trial call through after its pause; the answer lets all calls through again', async () => {
    const { run, timeOut, clock, events, behaviour } = setUp()
    await timeOut(breakerTimeouts)
    clock.advance(5_000)
    const answer = Promise.withResolvers<Outcome>()
    behaviour.call = () => answer.promise
    const probe = run()
    expect(dataOf(run() as Outcome)).toMatchObject({ reason: 'backend_unavailable', retryAfterMs: 1_000 })
    answer.resolve({ kind: 'complete', result: payloadOf({}) })
    expect(await probe).toMatchObject({ kind: 'complete' })
    expect(await run()).toMatchObject({ kind: 'complete' })
    expect(statesOf(events)).toEqual(['open', 'half_open', 'closed'])
  })

  it('pauses longer when the trial call times out as well', async () => {
    const { run, timeOut, clock, events } = setUp()
    await timeOut(breakerTimeouts)
    clock.advance(5_000)
    await timeOut(1)
    expect(dataOf(run() as Outcome)).toMatchObject({ retryAfterMs: 10_000 })
    expect(statesOf(events)).toEqual(['open', 'half_open', 'open'])
  })

  it('uses the next call as the trial when the first was cancelled', async () => {
    const { run, timeOut, exchange, clock, events } = setUp()
    await timeOut(breakerTimeouts)
    clock.advance(5_000)
    const probe = run()
    await eventually(() => expect(clock.waiting).toBe(1))
    exchange.end('cancelled')
    await probe
    await timeOut(1)
    expect(statesOf(events)).toEqual(['open', 'half_open', 'open', 'half_open', 'open'])
  })

  it('is removed with the link that hung', async () => {
    const { run, timeOut, session, backend, clock, events, behaviour } = setUp()
    await timeOut(breakerTimeouts)
    backend.links[0]?.break()
    await eventually(() => expect(session.slot(backend.entry).link).toBeUndefined())
    behaviour.call = () => ({ kind: 'complete', result: payloadOf({}) })
    clock.advance(500)
    expect(await run()).toMatchObject({ kind: 'complete' })
    expect(statesOf(events)).toEqual(['open', 'closed'])
  })
})
