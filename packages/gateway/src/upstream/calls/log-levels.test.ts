import { describe, expect, it } from 'vitest'
import type { Client } from '@junctor/exchange'
import type { Link } from '@junctor/contracts'
import type { LogLevel } from '@junctor/protocol'
import { createHome, createTestPool } from '../../../test/support/home.ts'
import { createManualClock } from '../../../test/support/manual-clock.ts'
import { createTestBackend, testServer } from '../../../test/support/test-backend.ts'
import { tenantOf } from '../../../test/support/test-nodes.ts'
import type { BackendEntry } from '../../shared/backend-entry.ts'
import { createLogLevels } from './log-levels.ts'

async function setUp(entry: Partial<BackendEntry> = {}) {
  const clock = createManualClock()
  const client = { context: createHome('x', tenantOf([]), createTestPool(clock)).session.context } as Client
  const pool = createTestPool(clock, { client: () => client })
  const backend = createTestBackend(entry)
  const levels = createLogLevels(clock)
  const tenant = tenantOf([backend.entry])
  const ensure = async (id: string, level: LogLevel | undefined) => {
    const { session } = createHome(id, tenant, pool)
    session.logLevel = level
    const slot = session.slot(backend.entry)
    await levels.ensure(session, slot, (await pool.acquire(slot)) as Link)
  }
  /** The levels that were set on the backend. */
  const asked = () => backend.links.flatMap(({ requests }) => requests.map(({ params }) => params?.value()))
  return { clock, pool, backend, levels, ensure, asked }
}

describe('LogLevels', () => {
  it('sets no level for a session that wants none', async () => {
    const { ensure, asked } = await setUp()
    await ensure('a', undefined)
    expect(asked()).toEqual([])
  })

  it('sets each level that a session wants on its own link, once', async () => {
    const { ensure, asked } = await setUp()
    await ensure('a', 'debug')
    await ensure('a', 'debug')
    await ensure('a', 'error')
    expect(asked()).toEqual([{ level: 'debug' }, { level: 'error' }])
  })

  it('sets the most verbose level that any session wants on a shared link', async () => {
    const { ensure, asked } = await setUp({ isolation: 'shared' })
    await ensure('a', 'warning')
    await ensure('b', 'error')
    await ensure('c', 'debug')
    expect(asked()).toEqual([{ level: 'warning' }, { level: 'debug' }])
  })

  it('sets no level on a backend without logging', async () => {
    const { ensure, asked, backend } = await setUp()
    backend.behaviour.server = { ...testServer, capabilities: {} }
    await ensure('a', 'debug')
    expect(asked()).toEqual([])
  })

  it.each([
    ['fails', () => Promise.reject(new Error('broken'))],
    [
      'throws',
      () => {
        throw new Error('broken')
      },
    ],
  ])('continues when the backend %s', async (_, call) => {
    const { ensure, backend, clock } = await setUp()
    backend.behaviour.call = call
    await ensure('a', 'debug')
    expect(clock.waiting).toBe(0)
  })

  it('waits at most ten seconds for a backend that does not answer', async () => {
    const { ensure, backend, clock } = await setUp()
    backend.behaviour.call = () => new Promise(() => {})
    const waiting = ensure('a', 'debug')
    await new Promise(setImmediate)
    clock.advance(10_000)
    await waiting
    expect(clock.waiting).toBe(0)
  })

  it('sets the level of a link on the link that replaces it', async () => {
    const { ensure, asked, backend, levels, pool } = await setUp({ isolation: 'shared' })
    await ensure('a', 'debug')
    const slot = createHome('b', tenantOf([backend.entry]), pool).session.slot(backend.entry)
    await levels.restore(slot, slot.link as Link)
    expect(asked()).toEqual([{ level: 'debug' }, { level: 'debug' }])
  })
})
