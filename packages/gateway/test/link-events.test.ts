import { describe, expect, it } from 'vitest'
import type { TelemetryEvent, Link } from '@junctor/contracts'
import { eventually } from '@junctor/testkit'
import type { BackendEntry } from '../src/shared/backend-entry.ts'
import { afterTimeout, breakerTimeouts, closedBreaker } from '../src/upstream/links/breaker.ts'
import { createTestPool } from './support/home.ts'
import { createManualClock } from './support/manual-clock.ts'
import { createTestBackend, sessionScope } from './support/test-backend.ts'

function setUp(entry: Partial<BackendEntry> = {}) {
  const clock = createManualClock()
  const backend = createTestBackend(entry)
  const events: TelemetryEvent[] = []
  const pool = createTestPool(clock, {}, (event) => void events.push(event))
  const slot = (id: string) => pool.slot(backend.entry, sessionScope(id))
  /** The events since the last call. */
  const reported = (): readonly TelemetryEvent[] => events.splice(0)
  /** Breaks the open link of a session, and waits until the pool knows. */
  const breakLink = async (id: string, link: { break(error?: Error): void } | undefined, error?: Error) => {
    link?.break(error)
    await eventually(() => expect(slot(id).link).toBeUndefined())
  }
  return {
    ...backend,
    backend,
    behaviour: backend.behaviour,
    links: backend.links,
    clock,
    pool,
    slot,
    reported,
    breakLink,
  }
}

const about = { backend: 'one', tenant: 'default' }

describe('the pool reports', () => {
  it('a link that opens, breaks, and opens again', async () => {
    const { pool, slot, links, reported, clock, breakLink } = setUp()
    await pool.acquire(slot('a'))
    expect(reported()).toEqual([
      { kind: 'link_opened', ...about, again: false },
      { kind: 'backend_state', backend: 'one', state: 'up' },
    ])
    await breakLink('a', links[0], new Error('crashed'))
    expect(reported()).toEqual([
      { kind: 'link_failed', ...about, phase: 'break', message: 'crashed', retryAfterMs: 500 },
    ])
    clock.advance(500)
    await pool.acquire(slot('a'))
    expect(reported()).toEqual([{ kind: 'link_opened', ...about, again: true }])
  })

  it('a link that cannot be opened, and each change of the backend’s state once', async () => {
    const { pool, slot, behaviour, reported, clock } = setUp()
    behaviour.opening = () => Promise.reject(new Error('refused'))
    const states: unknown[] = []
    for (const pauseMs of [500, 1_000, 2_000, 4_000, 8_000]) {
      await pool.acquire(slot('a'))
      const [failed, ...state] = reported()
      expect(failed).toEqual({
        kind: 'link_failed',
        ...about,
        phase: 'open',
        message: 'refused',
        retryAfterMs: pauseMs,
      })
      states.push(...state)
      clock.advance(pauseMs)
    }
    behaviour.opening = async () => {}
    await pool.acquire(slot('a'))
    states.push(...reported().filter(({ kind }) => kind === 'backend_state'))
    expect(states).toEqual([
      { kind: 'backend_state', backend: 'one', state: 'down' },
      { kind: 'backend_state', backend: 'one', state: 'crash_looping' },
      { kind: 'backend_state', backend: 'one', state: 'up' },
    ])
  })

  it('links that it closes, with the reason', async () => {
    const { pool, slot, entry, clock, reported } = setUp({ idleMs: 1_000 })
    for (const id of ['idle', 'ended', 'last']) await pool.acquire(slot(id))
    pool.release(slot('idle'))
    clock.advance(1_000)
    reported()
    pool.sweep()
    await pool.retire(entry, sessionScope('ended'))
    await pool.close()
    expect(reported()).toEqual(
      ['idle', 'ended', 'shutdown'].map((reason) => ({ kind: 'link_closed', ...about, reason })),
    )
  })

  it('nothing about the gateway’s own tools', async () => {
    const { pool, slot, links, reported, breakLink } = setUp({ builtIn: true })
    await pool.acquire(slot('a'))
    await breakLink('a', links[0])
    await pool.close()
    expect(reported()).toEqual([])
  })

  it('a break when the close of a plugin rejects, without other effects', async () => {
    const { pool, slot, reported, backend } = setUp()
    const { promise, reject } = Promise.withResolvers<undefined>()
    backend.entry.backend.open = async () => ({ closed: promise, close: async () => {} }) as unknown as Link
    await pool.acquire(slot('a'))
    reported()
    reject(new Error('not as agreed'))
    await eventually(() => expect(slot('a').link).toBeUndefined())
    expect(reported()).toMatchObject([{ kind: 'link_failed', phase: 'break', message: 'not as agreed' }])
  })
})

it('the health of a backend contains its calls, the waiting scopes, and the worst of its breakers', async () => {
  const { pool, slot, entry } = setUp({ maxLinks: 2 })
  await pool.acquire(slot('a'))
  void pool.acquire(slot('a'))
  await pool.acquire(slot('b'))
  void pool.acquire(slot('c'))
  await eventually(() => expect(pool.health(entry).queued).toBe(1))
  expect(pool.health(entry)).toMatchObject({ links: 2, inFlight: 4, breaker: 'closed' })
  let hanging = closedBreaker
  for (let count = 0; count < breakerTimeouts; count += 1) hanging = afterTimeout(hanging, 0, 0)
  slot('a').breaker = hanging
  expect(pool.health(entry).breaker).toBe('open')
  await pool.close()
})
