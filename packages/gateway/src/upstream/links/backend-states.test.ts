import { expect, it } from 'vitest'
import { type Log, silentLog } from '@junctor/contracts'
import type { Client } from '@junctor/exchange'
import { JunctorError } from '@junctor/protocol'
import { createManualClock } from '../../../test/support/manual-clock.ts'
import { createTestBackend, sessionScope } from '../../../test/support/test-backend.ts'
import { BackendStates } from './backend-states.ts'
import { LinkSlot } from './link-slot.ts'

/** The states of a backend, by default with a log that keeps nothing. */
function setUp(log: Log = silentLog) {
  const clock = createManualClock()
  const { entry } = createTestBackend()
  const states = new BackendStates({
    reachabilityChanged: () => {},
    now: clock.now,
    random: () => 0,
    log,
    emit: () => {},
  })
  const slotOf = (id: string): LinkSlot => new LinkSlot(entry, sessionScope(id), clock.now(), () => ({}) as Client)
  return { clock, states, slotOf }
}

it('counts opens that fail at the same time as one failure, however many scopes want a link', () => {
  const { clock, states, slotOf } = setUp()
  const slots = ['a', 'b', 'c'].map(slotOf)
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

it('logs a failure that stays the same at widening distances, one that changes at once, and its end once', () => {
  const logged: unknown[] = []
  const { clock, states, slotOf } = setUp({
    ...silentLog,
    info: (message) => logged.push(message),
    warn: (_message, fields) => logged.push([fields?.['error'], fields?.['attempts']]),
  })
  const slot = slotOf('a')
  const fail = (message: string): void => {
    clock.advance(60_000)
    states.openFailed(slot, new Error(message), clock.now())
    // Another scope that failed at the same time.
    states.openFailed(slot, new Error(message), clock.now())
  }
  for (let times = 0; times < 9; times += 1) fail('refused')
  fail('no such host')
  states.opened(slot)
  states.opened(slotOf('b'))
  fail('no such host')
  expect(logged).toEqual([
    ['refused', 1],
    ['refused', 2],
    ['refused', 4],
    ['refused', 8],
    ['no such host', 10],
    'a backend can be opened again',
    ['no such host', 1],
  ])
})

it('logs the reason of a failure once, without the code of its cause', () => {
  const logged: unknown[] = []
  const { clock, states, slotOf } = setUp({ ...silentLog, warn: (_message, fields) => logged.push(fields?.['error']) })
  const slot = slotOf('a')
  const cause = new JunctorError('BACKEND_REFUSED', 'no token')
  for (const message of ['cannot be opened', 'cannot be opened: no token']) {
    clock.advance(60_000)
    states.openFailed(slot, new Error(message, { cause }), clock.now())
    states.opened(slot)
  }
  expect(logged).toEqual(['cannot be opened: no token', 'cannot be opened: no token'])
})
