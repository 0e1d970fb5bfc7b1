import { setImmediate } from 'node:timers/promises'
import { expect, it, vi } from 'vitest'
import { createTestPool } from '../../../test/support/home.ts'
import { createManualClock } from '../../../test/support/manual-clock.ts'
import { createTestBackend, sessionScope } from '../../../test/support/test-backend.ts'
import { openTimeoutMs } from './link-opener.ts'
import type { PoolListener } from './link-pool.ts'

it('uses a link for nothing that comes after the opening was given up', async () => {
  const clock = createManualClock()
  const opened = vi.fn<PoolListener['opened']>(async () => {})
  const pool = createTestPool(clock, { opened })
  const { entry, behaviour, links } = createTestBackend()
  const late = Promise.withResolvers<void>()
  behaviour.opening = () => late.promise
  const opening = pool.acquire(pool.slot(entry, sessionScope('a')))
  await setImmediate()
  clock.advance(openTimeoutMs)
  clock.advance(openTimeoutMs)
  expect(await opening).toMatchObject({ reason: 'open_failed' })
  late.resolve()
  await setImmediate()
  expect(links.map(({ open }) => open)).toEqual([false])
  expect(opened).not.toHaveBeenCalled()
})
