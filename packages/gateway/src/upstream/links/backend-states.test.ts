import { expect, it } from 'vitest'
import { silentLog } from '@junctor/contracts'
import type { Client } from '@junctor/exchange'
import { createManualClock } from '../../../test/support/manual-clock.ts'
import { createTestBackend, sessionScope } from '../../../test/support/test-backend.ts'
import { BackendStates } from './backend-states.ts'
import { LinkSlot } from './link-slot.ts'

it('counts opens that fail at the same time as one failure, however many scopes want a link', () => {
  const clock = createManualClock()
  const { entry } = createTestBackend()
  const states = new BackendStates({
    reachabilityChanged: () => {},
    now: clock.now,
    random: () => 0,
    log: silentLog,
    emit: () => {},
  })
  const slots = ['a', 'b', 'c'].map((id) => new LinkSlot(entry, sessionScope(id), clock.now(), () => ({}) as Client))
  const pauses = [500, 1_000, 2_000].map((pauseMs) => {
    const began = clock.now()
    for (const slot of slots) {
      clock.advance(10)
      states.openFailed(slot, new Error('refused'), began)
    }
    const pauseNow = slots.map((slot) => states.pauseMs(slot))
    clock.advance(pauseMs)
    return pauseNow
  })
  expect(pauses).toEqual([500, 1_000, 2_000].map((pauseMs) => [pauseMs, pauseMs, pauseMs]))
})
