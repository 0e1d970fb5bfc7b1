import { expect, test } from 'vitest'
import { createManualClock } from '../../../test/support/manual-clock.ts'
import { createTestPool } from '../../../test/support/home.ts'
import { createTestBackend } from '../../../test/support/test-backend.ts'
import { identityOf, tenantOf } from '../../../test/support/test-nodes.ts'
import { addSubscriber, subscribersOf } from '../../upstream/subscriptions/slot-subscriptions.ts'
import { createSessionlessCallers } from './sessionless-callers.ts'

test('a caller without a session has no id, keeps its links and never subscribes', () => {
  const clock = createManualClock()
  const { entry } = createTestBackend()
  const tenants = new Map([['a', tenantOf([entry], 'a')]])
  const callers = createSessionlessCallers(tenants, createTestPool(clock), { sessions: 3, sessionIdleMs: 1_000 }, clock)
  const caller = callers.of(callers.context(identityOf('ada', 'a'), '2025-11-25', 'http'))
  if (caller === undefined) throw new Error('expected a caller')
  expect(caller.id).toBeUndefined()
  const slot = caller.slot(entry)
  expect(caller.slot(entry)).toBe(slot)
  expect(slot.scope).toMatchObject({ session: undefined, principal: 'local ada' })
  addSubscriber(slot, 'file:///a', caller)
  expect(subscribersOf(slot, 'file:///a').size).toBe(0)
  expect(caller.subscriptions).toBe(0)
  caller.applyConfig(tenantOf([], 'a'))
  expect(caller.slots()).toEqual([])
})
