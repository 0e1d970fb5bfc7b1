import { describe, expect, it } from 'vitest'
import type { Exchange, Fact, Outcome } from '@junctor/exchange'
import { silentLog } from '@junctor/exchange'
import { payloadOf } from '@junctor/jsonrpc'
import { createRequest, recordExchange } from '@junctor/testkit'
import { createHome, createTestPool } from '../../test/support/home.ts'
import { createManualClock } from '../../test/support/manual-clock.ts'
import { createTestBackend } from '../../test/support/test-backend.ts'
import { tenantOf } from '../../test/support/test-nodes.ts'
import { createLogLevels } from '../sessions/log-levels.ts'
import { Call } from './call.ts'
import { createBackendCalls } from './backend-calls.ts'

function setUp() {
  const clock = createManualClock()
  const pool = createTestPool(clock)
  const backend = createTestBackend({ prefix: 'files', timeoutMs: 1_000 })
  const { session } = createHome('a', tenantOf([backend.entry]), pool)
  const facts: Fact[] = []
  const calls = createBackendCalls({
    pool,
    levels: createLogLevels(clock),
    clock,
    tell: (fact) => facts.push(fact),
    log: silentLog,
    random: () => 0,
  })
  const request = createRequest('tools/call', { name: 'echo' })
  const { exchange } = recordExchange({ request, init: { deadline: Infinity } })
  const run = () => calls.run(new Call(session, request, exchange), backend.entry, request)
  return { clock, pool, backend, session, exchange, run, facts, behaviour: backend.behaviour }
}

/** `data` of an error. */
function dataOf(outcome: Outcome): unknown {
  return outcome.kind === 'error' ? outcome.error.data?.value() : outcome
}

const forever = () => new Promise<never>(() => {})

describe('BackendCalls', () => {
  it('gives the result in public names, and at once when the link is open and the backend is quick', async () => {
    const { run, behaviour, session, backend } = setUp()
    const content = [{ type: 'resource_link', uri: 'file:///a', name: 'a' }]
    behaviour.call = () => ({ kind: 'complete', result: payloadOf({ content }) })
    await run()
    expect(run()).toMatchObject({ kind: 'complete' })
    const outcome = await run()
    expect(outcome.kind === 'complete' && outcome.result.value()).toEqual({
      content: [{ type: 'resource_link', uri: 'files+file:///a', name: 'a' }],
    })
    expect(session.slot(backend.entry).holders).toBe(0)
  })

  it.each([
    ['answers late', async () => ({ kind: 'complete', result: payloadOf({}) }) as const, 'complete'],
    ['fails', () => Promise.reject(new Error('broken')), 'error'],
  ])('holds the link until a backend that %s has answered', async (_, call, kind) => {
    const { run, behaviour, session, backend } = setUp()
    behaviour.call = call
    expect((await run()).kind).toBe(kind)
    expect(session.slot(backend.entry).holders).toBe(0)
  })

  it.each([
    [
      'throws',
      () => {
        throw new Error('broken')
      },
    ],
    ['rejects', () => Promise.reject(new Error('broken'))],
  ])('a backend that %s fails the call with nothing of what it said, and is counted', async (_, call) => {
    const { run, behaviour, facts, session, backend } = setUp()
    behaviour.call = call
    const outcome = await run()
    expect(dataOf(outcome)).toMatchObject({ reason: 'internal_error' })
    expect(JSON.stringify(outcome)).not.toContain('broken')
    expect(facts).toEqual([{ kind: 'plugin_failed', backend: backend.entry.backend.name }])
    expect(session.slot(backend.entry).holders).toBe(0)
  })

  it('ends a call that takes too long, whatever its listeners do', async () => {
    const { run, behaviour, clock, facts, session, backend } = setUp()
    const told: string[] = []
    const called = Promise.withResolvers<Exchange>()
    behaviour.call = (_, exchange) => {
      exchange.onEnd({
        ended() {
          throw new Error('a fault of the backend')
        },
      })
      exchange.onEnd({ ended: (reason) => void told.push(reason) })
      called.resolve(exchange)
      return forever()
    }
    const outcome = run()
    const exchange = await called.promise
    clock.advance(999)
    expect(exchange.ended).toBeUndefined()
    clock.advance(1)
    expect(dataOf(await outcome)).toMatchObject({ reason: 'deadline_exceeded' })
    expect([told, exchange.signal.aborted, clock.waiting]).toEqual([['deadline'], true, 0])
    expect(facts).toEqual([{ kind: 'plugin_failed', backend: backend.entry.backend.name }])
    expect(session.slot(backend.entry).holders).toBe(0)
  })

  it('does not run what was cancelled while its link opened', async () => {
    const { run, behaviour, exchange, session, backend } = setUp()
    const opening = Promise.withResolvers<void>()
    behaviour.opening = () => opening.promise
    const outcome = run()
    exchange.end('cancelled')
    opening.resolve()
    expect((await outcome).kind).toBe('error')
    expect(backend.links[0]?.requests).toEqual([])
    expect(session.slot(backend.entry).holders).toBe(0)
  })

  it('opens nothing for a session that has ended', async () => {
    const { run, session, backend } = setUp()
    session.ended = true
    expect(dataOf(await run())).toMatchObject({ reason: 'session_unknown' })
    expect(backend.links).toEqual([])
  })

  it('says when to try again a backend that cannot be reached', async () => {
    const { run, behaviour } = setUp()
    behaviour.opening = () => Promise.reject(new Error('refused'))
    expect(dataOf(await run())).toMatchObject({ reason: 'backend_unavailable', retryAfterMs: 500 })
  })
})
