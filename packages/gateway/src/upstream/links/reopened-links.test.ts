import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createTestPool } from '../../../test/support/home.ts'
import { createManualClock } from '../../../test/support/manual-clock.ts'
import { createTestBackend, sessionScope } from '../../../test/support/test-backend.ts'

function setUp() {
  const clock = createManualClock()
  const backend = createTestBackend({})
  const pool = createTestPool(clock)
  /** An open link of a session, with the sessions that are subscribed to a resource over it. */
  async function open(session: string, subscribers: readonly string[]) {
    const slot = pool.slot(backend.entry, sessionScope(session))
    await pool.acquire(slot)
    pool.release(slot)
    if (subscribers.length > 0) slot.subscriptions = new Map([['file:///a', new Set(subscribers)]])
    return slot
  }
  async function passSeconds(seconds: number): Promise<void> {
    for (let second = 0; second < seconds; second += 1) {
      await setImmediate()
      clock.advance(1_000)
    }
    await setImmediate()
  }
  return { clock, backend, pool, open, passSeconds }
}

it('a link that breaks is opened until it is open when it has subscriptions, and no other', async () => {
  const { clock, backend, open, passSeconds } = setUp()
  await open('subscribed', ['subscribed'])
  await open('other', [])
  let attempts = 0
  backend.behaviour.opening = () => {
    attempts += 1
    return attempts < 3 ? Promise.reject(new Error('not yet')) : Promise.resolve()
  }
  for (const link of backend.links) link.break()
  await passSeconds(60)
  expect(backend.open.map(({ scope }) => scope.session)).toEqual(['subscribed'])
  expect([attempts, clock.waiting]).toEqual([3, 0])
})

it('a link is not opened again when its slot is retired, or when its subscriptions have ended', async () => {
  const { clock, backend, pool, open, passSeconds } = setUp()
  await open('retired', ['retired'])
  const left = await open('left', ['left'])
  backend.behaviour.opening = () => Promise.reject(new Error('not yet'))
  for (const link of backend.links) link.break()
  // After that, each attempt comes after a pause of seconds.
  await passSeconds(10)
  await pool.retire(backend.entry, sessionScope('retired'))
  left.subscriptions = undefined
  backend.behaviour.opening = () => Promise.resolve()
  await passSeconds(100)
  expect([backend.open, clock.waiting]).toEqual([[], 0])
})
