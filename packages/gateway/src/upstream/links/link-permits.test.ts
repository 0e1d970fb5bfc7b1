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
  it('has as many as the backend may have links', () => {
    const { permits, entry } = setUp()
    expect([permits.take(entry), permits.take(entry)]).toEqual([true, false])
    permits.giveBack(entry)
    expect(permits.take(entry)).toBe(true)
  })

  it('gives a permit that comes back to the scope that waits longest, and to none that comes after', async () => {
    const { permits, entry, never, clock } = setUp()
    permits.take(entry)
    const order: string[] = []
    const waits = ['first', 'second'].map(async (name) => {
      expect(await permits.wait(entry, never)).toBe(true)
      order.push(name)
    })
    permits.giveBack(entry)
    expect(permits.take(entry)).toBe(false)
    permits.giveBack(entry)
    await Promise.all(waits)
    expect(order).toEqual(['first', 'second'])
    expect([permits.taken(entry), permits.waiting(entry), clock.waiting]).toEqual([1, 0, 0])
  })

  it('waits no longer than a call may take', async () => {
    const { permits, entry, never, clock } = setUp()
    permits.take(entry)
    const wait = permits.wait(entry, never)
    clock.advance(1_000)
    expect(await wait).toBe(false)
    expect(permits.waiting(entry)).toBe(0)
  })

  it('waits no longer than somebody wants the permit', async () => {
    const { permits, entry, clock } = setUp()
    permits.take(entry)
    const controller = new AbortController()
    const wait = permits.wait(entry, controller.signal)
    controller.abort()
    expect(await wait).toBe(false)
    expect(await permits.wait(entry, controller.signal)).toBe(false)
    expect(clock.waiting).toBe(0)
  })

  it('counts each backend by itself', () => {
    const { permits, entry } = setUp()
    const other = createTestBackend({ maxLinks: 1 }).entry
    permits.take(entry)
    expect(permits.take(other)).toBe(true)
  })
})
