import { describe, expect, it } from 'vitest'
import { createManualClock } from '../../../test/support/manual-clock.ts'
import { createTestBackend } from '../../../test/support/test-backend.ts'
import { createLinkPlaces } from './link-places.ts'

function setUp() {
  const clock = createManualClock()
  const { entry } = createTestBackend({ maxLinks: 1, timeoutMs: 1_000 })
  return { clock, entry, places: createLinkPlaces(clock), never: new AbortController().signal }
}

describe('LinkPlaces', () => {
  it('has as many places as the backend may have links', () => {
    const { places, entry } = setUp()
    expect([places.take(entry), places.take(entry)]).toEqual([true, false])
    places.leave(entry)
    expect(places.take(entry)).toBe(true)
  })

  it('gives a place that is left to whoever waits longest, and to nobody who comes after', async () => {
    const { places, entry, never, clock } = setUp()
    places.take(entry)
    const order: string[] = []
    const waits = ['first', 'second'].map(async (name) => {
      expect(await places.wait(entry, never)).toBe(true)
      order.push(name)
    })
    places.leave(entry)
    expect(places.take(entry)).toBe(false)
    places.leave(entry)
    await Promise.all(waits)
    expect(order).toEqual(['first', 'second'])
    expect([places.taken(entry), places.waiting(entry), clock.waiting]).toEqual([1, 0, 0])
  })

  it('waits no longer than a call may take', async () => {
    const { places, entry, never, clock } = setUp()
    places.take(entry)
    const wait = places.wait(entry, never)
    clock.advance(1_000)
    expect(await wait).toBe(false)
    expect(places.waiting(entry)).toBe(0)
  })

  it('waits no longer than somebody wants the place', async () => {
    const { places, entry, clock } = setUp()
    places.take(entry)
    const controller = new AbortController()
    const wait = places.wait(entry, controller.signal)
    controller.abort()
    expect(await wait).toBe(false)
    expect(await places.wait(entry, controller.signal)).toBe(false)
    expect(clock.waiting).toBe(0)
  })

  it('counts each backend by itself', () => {
    const { places, entry } = setUp()
    const other = createTestBackend({ maxLinks: 1 }).entry
    places.take(entry)
    expect(places.take(other)).toBe(true)
  })
})
