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
  /** The levels that the upstream was asked for. */
  const asked = () => backend.links.flatMap(({ requests }) => requests.map(({ params }) => params?.value()))
  return { clock, pool, backend, levels, ensure, asked }
}

describe('LogLevels', () => {
  it('asks nothing for a session that wants nothing', async () => {
    const { ensure, asked } = await setUp()
    await ensure('a', undefined)
    expect(asked()).toEqual([])
  })

  it('asks the own link of a session for each level that it wants, once', async () => {
    const { ensure, asked } = await setUp()
    await ensure('a', 'debug')
    await ensure('a', 'debug')
    await ensure('a', 'error')
    expect(asked()).toEqual([{ level: 'debug' }, { level: 'error' }])
  })

  it('asks a shared link for the most that any session wants', async () => {
    const { ensure, asked } = await setUp({ isolation: 'shared' })
    await ensure('a', 'warning')
    await ensure('b', 'error')
    await ensure('c', 'debug')
    expect(asked()).toEqual([{ level: 'warning' }, { level: 'debug' }])
  })

  it('asks no backend that does not log', async () => {
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
  ])('goes on when the backend %s', async (_, call) => {
    const { ensure, backend, clock } = await setUp()
    backend.behaviour.call = call
    await ensure('a', 'debug')
    expect(clock.waiting).toBe(0)
  })

  it('waits for a backend that does not answer no longer than ten seconds', async () => {
    const { ensure, backend, clock } = await setUp()
    backend.behaviour.call = () => new Promise(() => {})
    const waiting = ensure('a', 'debug')
    await new Promise(setImmediate)
    clock.advance(10_000)
    await waiting
    expect(clock.waiting).toBe(0)
  })

  it('tells a link that took the place of another what was asked of that', async () => {
    const { ensure, asked, backend, levels, pool } = await setUp({ isolation: 'shared' })
    await ensure('a', 'debug')
    const slot = createHome('b', tenantOf([backend.entry]), pool).session.slot(backend.entry)
    await levels.restore(slot, slot.link as Link)
    expect(asked()).toEqual([{ level: 'debug' }, { level: 'debug' }])
  })
})
