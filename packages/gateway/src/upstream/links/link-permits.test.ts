import { describe, expect, it } from 'vitest'
import { createManualClock } from '../../../test/support/manual-clock.ts'
import { createTestBackend } from '../../../test/support/test-backend.ts'
import { createLinkPermits } from './link-permits.ts'

function setUp() {
  const clock = createManualClock()
  const { entry } = createTestBackend({ maxLinks: 1, timeoutMs: 1_000 })
  return { clock, entry, permits: createLinkPermits(clock), never: new AbortController().signal }
}

describe('LinkPermits', () => {
  it('gives as many permits as the backend may have links', () => {
    const { permits, entry } = setUp()
    expect([permits.take(entry), permits.take(entry)]).toEqual([true, false])
    permits.giveBack(entry)
    expect(permits.take(entry)).toBe(true)
  })

  it('gives a returned permit to the scope that has waited longest, and to no later one', async () => {
    const { permits, entry, never, clock } = setUp()
    permits.take(entry)
    const order: string[] = []
    const waits = ['first', 'second'].map(async (name) => {
      expect(await permits.wait(entry, never)).toBe(true)
      order.push(name)
    })
    expect(permits.allWaiting).toBe(2)
    permits.giveBack(entry)
    expect(permits.take(entry)).toBe(false)
    permits.giveBack(entry)
    await Promise.all(waits)
    expect(order).toEqual(['first', 'second'])
    expect([permits.taken(entry), permits.waiting(entry), permits.allWaiting, clock.waiting]).toEqual([1, 0, 0, 0])
  })

  it('waits no longer than the timeout of a call', async () => {
    const { permits, entry, never, clock } = setUp()
    permits.take(entry)
    const wait = permits.wait(entry, never)
    clock.advance(1_000)
    expect(await wait).toBe(false)
    expect([permits.waiting(entry), permits.allWaiting]).toEqual([0, 0])
  })

  it('stops waiting when the signal aborts', async () => {
    const { permits, entry, clock } = setUp()
    permits.take(entry)
    const controller = new AbortController()
    const wait = permits.wait(entry, controller.signal)
    controller.abort()
    expect(await wait).toBe(false)
    expect(await permits.wait(entry, controller.signal)).toBe(false)
    expect([permits.allWaiting, clock.waiting]).toEqual([0, 0])
  })

  it('counts the permits of each backend separately', () => {
    const { permits, entry } = setUp()
    const other = createTestBackend({ maxLinks: 1 }).entry
    permits.take(entry)
    expect(permits.take(other)).toBe(true)
  })
})
