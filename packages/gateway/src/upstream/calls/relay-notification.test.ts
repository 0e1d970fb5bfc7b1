import { silentLog } from '@junctor/contracts'
import { expect, it, vi } from 'vitest'
import { createHome, createTestPool } from '../../../test/support/home.ts'
import { createManualClock } from '../../../test/support/manual-clock.ts'
import { createTestBackend } from '../../../test/support/test-backend.ts'
import { tenantOf } from '../../../test/support/test-nodes.ts'
import type { BackendEntry } from '../../shared/backend-entry.ts'
import { relayNotification } from './relay-notification.ts'

const note = { method: 'notifications/com.example/note', params: undefined }

function setUp(entry: Partial<BackendEntry> = {}) {
  const backend = createTestBackend({ prefix: '', ...entry })
  const pool = createTestPool(createManualClock())
  const { session } = createHome('a', { ...tenantOf([backend.entry]), single: true }, pool)
  const crashed = vi.fn<(slot: unknown, error: unknown) => void>()
  const relay = () => relayNotification(pool, silentLog, crashed, session, note)
  return { ...backend, pool, session, crashed, relay }
}

it('passes a notification to the link of the session', async () => {
  const { links, relay } = setUp()
  await relay()
  expect(links.map(({ notifications }) => notifications)).toEqual([[note]])
})

it('opens no link that several sessions share, and none for a session that has ended', async () => {
  const shared = setUp({ isolation: 'shared' })
  await shared.relay()
  const own = setUp()
  own.session.ended = true
  await own.relay()
  expect([...shared.links, ...own.links]).toEqual([])
})

it('reports a backend that throws, and releases its link', async () => {
  const { links, pool, entry, session, crashed, relay } = setUp()
  await relay()
  const error = new Error('odd')
  for (const link of links) {
    vi.spyOn(link, 'notify').mockImplementation(() => {
      throw error
    })
  }
  await relay()
  const slot = pool.slot(entry, session.slot(entry).scope)
  expect(crashed.mock.calls).toEqual([[slot, error]])
  expect(slot.holds).toBe(0)
})
