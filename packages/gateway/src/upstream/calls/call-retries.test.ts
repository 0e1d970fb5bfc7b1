import { describe, expect, it } from 'vitest'
import { silentLog, type TelemetryEvent } from '@junctor/contracts'
import type { Outcome } from '@junctor/exchange'
import { payloadOf } from '@junctor/jsonrpc'
import { createRequest, eventually, recordExchange } from '@junctor/testkit'
import { createHome, createTestPool, noInnerCalls } from '../../../test/support/home.ts'
import { createManualClock } from '../../../test/support/manual-clock.ts'
import { createTestBackend } from '../../../test/support/test-backend.ts'
import { tenantOf } from '../../../test/support/test-nodes.ts'
import type { BackendEntry } from '../../shared/backend-entry.ts'
import { backendError } from '../../shared/errors.ts'
import { BackendCalls } from './backend-calls.ts'
import { Call } from './call.ts'
import { CallGate } from './call-gate.ts'
import { createLogLevels } from './log-levels.ts'

const well: Outcome = { kind: 'complete', result: payloadOf({ content: [] }) }
const context = { revision: '2025-11-25' } as const
const cut: Outcome = { kind: 'error', error: backendError(context, 'backend_exited'), loss: 'cut' }
const unsent: Outcome = { kind: 'error', error: backendError(context, 'backend_unavailable'), loss: 'unsent' }

/** A backend whose calls have these outcomes in turn, and then the last one again. */
function setUp(outcomes: readonly Outcome[], entry: Partial<BackendEntry> = {}) {
  const clock = createManualClock()
  const events: TelemetryEvent[] = []
  const emit = (event: TelemetryEvent): void => void events.push(event)
  const pool = createTestPool(clock, {}, emit)
  const backend = createTestBackend({ timeoutMs: 1_000, ...entry })
  const { session } = createHome('a', tenantOf([backend.entry]), pool)
  const gate = new CallGate(clock, 100)
  const parts = { pool, levels: createLogLevels(clock), gate, inner: noInnerCalls, clock, emit, log: silentLog }
  const calls = new BackendCalls({ ...parts, random: () => 0 })
  const left = [...outcomes]
  backend.behaviour.call = async () => (left.length > 1 ? (left.shift() as Outcome) : (left[0] as Outcome))
  const request = createRequest('tools/call', { name: 'echo' })
  const begin = ({ isRepeatable = true } = {}) => {
    const { exchange } = recordExchange({ request, init: { deadline: Infinity } })
    const call = new Call(session, request, exchange)
    call.isRepeatable = isRepeatable
    return { exchange, outcome: Promise.resolve(calls.run(call, backend.entry, request)) }
  }
  /** Lets the pause of a call pass. */
  const pass = async (ms = 200) => {
    await eventually(() => expect(clock.waiting).toBeGreaterThan(1))
    clock.advance(ms)
  }
  const sent = () => backend.links.flatMap(({ requests }) => requests).length
  const results = () => events.flatMap((event) => (event.kind === 'call_retried' ? [event.result] : []))
  const holds = () => session.slot(backend.entry).holds
  return { clock, backend, session, begin, pass, sent, results, holds, calls, behaviour: backend.behaviour }
}

const reasonIn = (outcome: Outcome): unknown => {
  const data = outcome.kind === 'error' ? outcome.error.data?.value() : undefined
  return (data as { reason?: unknown } | undefined)?.reason
}

describe('CallRetries', () => {
  it('sends a lost call once more, and reports it', async () => {
    const { begin, pass, sent, results, holds } = setUp([cut, well])
    const { outcome } = begin()
    await pass()
    expect(await outcome).toMatchObject({ kind: 'complete' })
    expect([sent(), results(), holds()]).toEqual([2, ['sent'], 0])
  })

  it('sends a call of any tool whose link could not be opened once more', async () => {
    const { begin, pass, behaviour, sent, results, holds, clock } = setUp([well])
    const opens: number[] = []
    behaviour.opening = async () => {
      if (opens.push(1) === 1) throw new Error('refused')
    }
    const { outcome } = begin({ isRepeatable: false })
    await pass()
    // Then for the pause of the backend.
    await eventually(() => expect(clock.waiting).toBe(2))
    clock.advance(500)
    expect(await outcome).toMatchObject({ kind: 'complete' })
    expect([opens.length, sent(), results(), holds()]).toEqual([2, 1, ['sent'], 0])
  })

  it('does not take the word of a backend for a loss', async () => {
    const forged: Outcome = { kind: 'error', error: backendError(context, 'backend_exited') }
    const { begin, sent, results } = setUp([forged, well])
    expect(reasonIn(await begin().outcome)).toBe('backend_exited')
    expect([sent(), results()]).toEqual([1, []])
  })

  it('keeps the first outcome when the second attempt was not sent: the first may have run', async () => {
    const { begin, pass, sent } = setUp([cut, unsent])
    const { outcome } = begin()
    await pass()
    expect(reasonIn(await outcome)).toBe('backend_exited')
    expect(sent()).toBe(2)
  })

  it('keeps the first outcome when there is no link for the second attempt', async () => {
    const { begin, pass, sent, backend, behaviour, session, results, holds, clock } = setUp([cut, well])
    const { outcome } = begin()
    await eventually(() => expect(clock.waiting).toBeGreaterThan(1))
    behaviour.opening = () => Promise.reject(new Error('refused'))
    backend.links[0]?.break()
    await eventually(() => expect(session.slot(backend.entry).link).toBeUndefined())
    await pass()
    await eventually(() => expect(clock.waiting).toBe(2))
    clock.advance(500)
    expect(reasonIn(await outcome)).toBe('backend_exited')
    expect([sent(), results(), holds()]).toEqual([1, [], 0])
  })

  it('keeps its place at the backend in the pause', async () => {
    const { begin, pass, sent } = setUp([cut, well], { concurrency: 1, queue: 0 })
    const { outcome } = begin()
    await eventually(() => expect(sent()).toBe(1))
    expect(reasonIn(await begin().outcome)).toBe('overloaded')
    await pass()
    expect((await outcome).kind).toBe('complete')
    expect((await begin().outcome).kind).toBe('complete')
  })

  it('ends in the pause with its caller, and at its deadline', async () => {
    const { begin, sent, clock } = setUp([cut, well])
    const cancelled = begin()
    await eventually(() => expect(clock.waiting).toBeGreaterThan(1))
    cancelled.exchange.end('cancelled')
    expect(reasonIn(await cancelled.outcome)).toBe('cancelled')

    const late = setUp([cut, well])
    const { outcome } = late.begin()
    await eventually(() => expect(late.clock.waiting).toBeGreaterThan(1))
    late.behaviour.opening = () => new Promise(() => {})
    late.backend.links[0]?.break()
    await eventually(() => expect(late.session.slot(late.backend.entry).link).toBeUndefined())
    late.clock.advance(1_000)
    expect(reasonIn(await outcome)).toBe('deadline_exceeded')
    expect([sent(), late.sent()]).toEqual([1, 1])
  })

  it('gives the second attempt only the time that is left', async () => {
    const { begin, pass, clock, behaviour, sent } = setUp([well])
    behaviour.call = async () => (sent() === 1 ? cut : new Promise<never>(() => {}))
    const { outcome } = begin()
    await pass()
    await eventually(() => expect(sent()).toBe(2))
    clock.advance(799)
    await eventually(() => expect(clock.waiting).toBe(1))
    clock.advance(1)
    expect(reasonIn(await outcome)).toBe('deadline_exceeded')
  })

  it('sends no call again when too many were, and reports that', async () => {
    const { begin, pass, sent, results } = setUp([cut])
    while (results().at(-1) !== 'over_budget') {
      const { outcome } = begin()
      await Promise.race([outcome, pass()])
      await outcome
    }
    // Twelve seconds have passed.
    expect(results().filter((result) => result === 'sent')).toHaveLength(62)
    expect(sent()).toBe(125)
  })
})
