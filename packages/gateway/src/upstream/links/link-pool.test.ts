import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import type { Client } from '@junctor/exchange'
import { emitNothing, type Link, silentLog } from '@junctor/contracts'
import { createManualClock } from '../../../test/support/manual-clock.ts'
import { createTestBackend, sessionScope, TestLink } from '../../../test/support/test-backend.ts'
import type { BackendEntry } from '../../shared/backend-entry.ts'
import { linkCloseMs } from './link-ends.ts'
import { openTimeoutMs } from './link-opener.ts'
import { LinkPool, type PoolListener } from './link-pool.ts'
import type { OpenFailure } from './link-slot.ts'

function setUp(entry: Partial<BackendEntry> = {}, listener: Partial<PoolListener> = {}) {
  const clock = createManualClock()
  const backend = createTestBackend(entry)
  const reachabilityChanged = vi.fn<PoolListener['reachabilityChanged']>()
  const pool = new LinkPool({
    clock,
    log: silentLog,
    emit: emitNothing,
    random: () => 0,
    listener: {
      opened: async () => {},
      linked() {},
      unlinked() {},
      reachabilityChanged,
      client: () => ({}) as Client,
      ...listener,
    },
  })
  const slot = (id: string) => pool.slot(backend.entry, sessionScope(id))
  return { clock, pool, slot, reachabilityChanged, ...backend, links: backend.links, backend }
}

/** Runs all pending microtasks. */
async function settle(): Promise<void> {
  await new Promise((resolve) => {
    setImmediate(resolve)
  })
}

function reasonOf(opened: Link | OpenFailure): string {
  return 'kind' in opened ? opened.reason : 'open'
}

describe('LinkPool', () => {
  it('opens one link for all waiting calls of a scope, and then returns it immediately', async () => {
    const { pool, slot, links } = setUp()
    const [one, two] = await Promise.all([pool.acquire(slot('a')), pool.acquire(slot('a'))])
    expect(one).toBe(two)
    expect(pool.acquire(slot('a'))).toBe(one)
    expect(links).toHaveLength(1)
  })

  it('never gives the link of one scope to another', async () => {
    const { pool, slot, links } = setUp()
    await Promise.all([pool.acquire(slot('a')), pool.acquire(slot('b'))])
    expect(links.map((link) => link.scope.session)).toEqual(['a', 'b'])
  })

  it('closes the link that was idle for longest when another scope needs its permit', async () => {
    const { pool, slot, backend, clock } = setUp({ maxLinks: 2 })
    await pool.acquire(slot('a'))
    await pool.acquire(slot('b'))
    pool.release(slot('b'))
    clock.advance(1)
    pool.release(slot('a'))
    expect(reasonOf(await pool.acquire(slot('c')))).toBe('open')
    expect(backend.open.map((link) => link.scope.session)).toEqual(['a', 'c'])
  })

  it('does not open a link before the link that makes room for it has closed', async () => {
    const { pool, slot, behaviour, links } = setUp({ maxLinks: 1 })
    const { promise, resolve } = Promise.withResolvers<void>()
    behaviour.closing = () => promise
    await pool.acquire(slot('a'))
    pool.release(slot('a'))
    const second = pool.acquire(slot('b'))
    await settle()
    expect(links).toHaveLength(1)
    resolve()
    expect(reasonOf(await second)).toBe('open')
  })

  it('closes no link that is in use or has subscriptions', async () => {
    const { pool, slot, clock, backend } = setUp({ maxLinks: 2, timeoutMs: 1_000 })
    await pool.acquire(slot('used'))
    await pool.acquire(slot('subscribed'))
    pool.release(slot('subscribed'))
    slot('subscribed').subscriptions = new Map([['file:///a', new Set(['subscribed'])]])
    const third = pool.acquire(slot('third'))
    clock.advance(1_000)
    expect(reasonOf(await third)).toBe('overloaded')
    expect(backend.open).toHaveLength(2)
  })

  it.each([
    ['is not used any more', (s: ReturnType<typeof setUp>) => s.pool.release(s.slot('a'))],
    ['breaks', (s: ReturnType<typeof setUp>) => s.links[0]?.break()],
    ['is retired', (s: ReturnType<typeof setUp>) => void s.pool.retire(s.entry, sessionScope('a'))],
  ])('gives the only permit to a waiting scope when the link that has it %s', async (_, act) => {
    const all = setUp({ maxLinks: 1 })
    await all.pool.acquire(all.slot('a'))
    const waiting = all.pool.acquire(all.slot('b'))
    act(all)
    expect(reasonOf(await waiting)).toBe('open')
    expect(all.backend.open.map((link) => link.scope.session)).toEqual(['b'])
  })

  it('gives the permit of a failed open to a waiting scope', async () => {
    const { pool, slot, behaviour } = setUp({ maxLinks: 1 })
    const { promise, reject } = Promise.withResolvers<void>()
    behaviour.opening = () => promise
    const first = pool.acquire(slot('a'))
    const second = pool.acquire(slot('b'))
    await settle()
    behaviour.opening = async () => {}
    reject(new Error('refused'))
    expect(reasonOf(await first)).toBe('open_failed')
    expect(reasonOf(await second)).toBe('open')
  })

  it('does not try a backend again that failed a moment ago, and reports when to retry', async () => {
    const { pool, slot, behaviour, clock, reachabilityChanged, entry } = setUp()
    behaviour.opening = () => Promise.reject(new Error('refused'))
    expect(await pool.acquire(slot('a'))).toMatchObject({ reason: 'open_failed', retryAfterMs: 500 })
    clock.advance(500)
    expect(reasonOf(await pool.acquire(slot('a')))).toBe('open_failed')
    clock.advance(1_000)
    expect(await pool.acquire(slot('a'))).toMatchObject({ reason: 'open_failed', retryAfterMs: 2_000 })
    behaviour.opening = async () => {}
    // Another scope does not try either, because the backend itself cannot be reached.
    expect(await pool.acquire(slot('b'))).toMatchObject({ reason: 'backing_off', retryAfterMs: 2_000 })
    expect(pool.health(entry)).toMatchObject({ state: 'down', error: new Error('refused'), links: 0 })
    expect(reachabilityChanged).toHaveBeenCalledOnce()
    clock.advance(2_000)
    expect(reasonOf(await pool.acquire(slot('b')))).toBe('open')
    expect(reachabilityChanged.mock.calls).toEqual([[entry], [entry]])
    expect(pool.health(entry)).toMatchObject({ state: 'up', error: undefined, links: 1 })
  })

  it('reports a backend as up when a link to it has opened, not while the first one is opening', async () => {
    const { pool, slot, behaviour, entry } = setUp()
    const opening = Promise.withResolvers<void>()
    behaviour.opening = () => opening.promise
    const opened = pool.acquire(slot('a'))
    await settle()
    expect(pool.health(entry)).toMatchObject({ state: 'starting', links: 1 })
    opening.resolve()
    await opened
    expect(pool.health(entry)).toMatchObject({ state: 'up', links: 1 })
  })

  it('waits for a pause that is nearly over, also with one permit', async () => {
    const { pool, slot, behaviour, clock } = setUp({ maxLinks: 1 })
    behaviour.opening = () => Promise.reject(new Error('refused'))
    await pool.acquire(slot('a'))
    behaviour.opening = async () => {}
    const again = pool.acquire(slot('a'))
    clock.advance(500)
    expect(reasonOf(await again)).toBe('open')
  })

  it('opens again after a break, more slowly each time, and reports it as crash-looping', async () => {
    const { pool, slot, links, clock, entry } = setUp()
    for (const pauseMs of [500, 1_000, 2_000, 4_000, 8_000]) {
      expect(reasonOf(await pool.acquire(slot('a')))).toBe('open')
      links.at(-1)?.break()
      await settle()
      clock.advance(pauseMs)
    }
    expect(pool.health(entry).state).toBe('crash_looping')
    await pool.acquire(slot('a'))
    clock.advance(60_000)
    expect(pool.health(entry).state).toBe('up')
  })

  it('returns no link that broke during its preparation', async () => {
    const opened = Promise.withResolvers<void>()
    const { pool, slot, links, entry } = setUp({}, { opened: () => opened.promise })
    const first = pool.acquire(slot('a'))
    await settle()
    links[0]?.break(new Error('young'))
    expect(reasonOf(await first)).toBe('open_failed')
    expect(pool.health(entry)).toMatchObject({ links: 0, error: new Error('young') })
  })

  it('closes a link that could not be prepared', async () => {
    const { pool, slot, backend } = setUp({}, { opened: () => Promise.reject(new Error('no')) })
    expect(reasonOf(await pool.acquire(slot('a')))).toBe('open_failed')
    expect(backend.open).toEqual([])
  })

  it('retires a slot immediately while its link opens, and closes the link that opens afterwards', async () => {
    const { pool, slot, behaviour, links, entry, reachabilityChanged } = setUp()
    const opening = Promise.withResolvers<void>()
    behaviour.opening = () => opening.promise
    const first = pool.acquire(slot('a'))
    await settle()
    const retired = pool.retire(entry, sessionScope('a'))
    opening.resolve()
    expect(reasonOf(await first)).toBe('closed')
    await retired
    await settle()
    expect(links.map((link) => link.open)).toEqual([false])
    // An aborted open says nothing about the backend.
    expect(reachabilityChanged).not.toHaveBeenCalled()
    expect(pool.health(entry)).toMatchObject({ state: 'starting', links: 0 })
  })

  it('waits only a short while for an open that does not stop when aborted', async () => {
    const { pool, slot, behaviour, clock, entry } = setUp()
    behaviour.opening = () => new Promise(() => {})
    const first = pool.acquire(slot('a'))
    await settle()
    clock.advance(openTimeoutMs)
    clock.advance(2_000)
    expect(reasonOf(await first)).toBe('open_failed')
    expect(pool.health(entry).error).toEqual(new Error('no answer in 60000 ms'))
    expect(clock.waiting).toBe(0)
  })

  it('closes idle links after their time, keeps those in use, and forgets shared slots', async () => {
    const { pool, slot, clock, backend, entry } = setUp({ idleMs: 1_000 })
    const shared = { tenant: '', principal: undefined, session: undefined, capabilities: {}, key: 'shared {}' }
    await pool.acquire(slot('used'))
    await pool.acquire(slot('idle'))
    await pool.acquire(pool.slot(entry, shared))
    pool.release(slot('idle'))
    const before = pool.slot(entry, shared)
    pool.release(before)
    clock.advance(1_000)
    pool.sweep()
    await settle()
    expect(backend.open.map((link) => link.scope.session)).toEqual(['used'])
    pool.sweep()
    expect(before.retired).toBe(true)
    expect(pool.slot(entry, shared)).not.toBe(before)
    expect(slot('idle').retired).toBe(false)
  })

  it('closes everything, including opening, waiting and pausing slots, and opens nothing more', async () => {
    const { pool, slot, behaviour, backend, clock } = setUp({ maxLinks: 2 })
    await pool.acquire(slot('open'))
    behaviour.opening = (signal) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error))
      })
    const opening = pool.acquire(slot('opening'))
    const waiting = pool.acquire(slot('waiting'))
    await pool.close()
    expect([reasonOf(await opening), reasonOf(await waiting)]).toEqual(['closed', 'closed'])
    expect(backend.open).toEqual([])
    behaviour.opening = async () => {}
    expect(reasonOf(await pool.acquire(slot('late')))).toBe('closed')
    expect([backend.open, clock.waiting]).toEqual([[], 0])
  })

  describe('when a backend was removed', () => {
    it('closes its links immediately, those in use when their calls have ended, and no others', async () => {
      const { pool, slot, backend, entry } = setUp()
      const other = createTestBackend({}, { name: 'two' })
      await pool.acquire(slot('used'))
      await pool.acquire(slot('idle'))
      pool.release(slot('idle'))
      await pool.acquire(pool.slot(other.entry, sessionScope('used')))
      const used = slot('used')
      let gone = false
      const removed = pool.remove(entry).then(() => (gone = true))
      await settle()
      expect([backend.open.map((link) => link.scope.session), gone]).toEqual([['used'], false])
      pool.release(used)
      await removed
      expect([backend.open, other.open.length]).toEqual([[], 1])
    })

    it('waits for a running call only for a limited time', async () => {
      const { pool, slot, backend, entry, clock } = setUp()
      await pool.acquire(slot('a'))
      const removed = pool.remove(entry)
      clock.advance(10_000)
      await removed
      expect(backend.open).toEqual([])
    })

    it('gives its link to a call that waits for it to open', async () => {
      const { pool, slot, behaviour, backend, entry } = setUp()
      const opened = Promise.withResolvers<void>()
      behaviour.opening = () => opened.promise
      const waiting = slot('a')
      const opening = pool.acquire(waiting)
      const removed = pool.remove(entry)
      await settle()
      opened.resolve()
      expect(reasonOf(await opening)).toBe('open')
      expect(backend.open.length).toBe(1)
      pool.release(waiting)
      await removed
      expect(backend.open).toEqual([])
    })

    it('aborts opening links in the end, and opens no more, except for another backend with the same name', async () => {
      const { pool, slot, behaviour, backend, entry, clock } = setUp()
      behaviour.opening = (signal) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason as Error))
        })
      const opening = pool.acquire(slot('a'))
      const removed = pool.remove(entry)
      clock.advance(10_000)
      await removed
      expect(reasonOf(await opening)).toBe('closed')
      behaviour.opening = async () => {}
      expect(reasonOf(await pool.acquire(slot('a')))).toBe('closed')
      const successor = createTestBackend()
      expect(reasonOf(await pool.acquire(pool.slot(successor.entry, sessionScope('a'))))).toBe('open')
      expect([backend.open.length, successor.open.length]).toEqual([0, 1])
    })
  })

  it('logs a link that does not close cleanly, and continues', async () => {
    const { pool, slot, behaviour, entry } = setUp()
    behaviour.closing = () => Promise.reject(new Error('stuck'))
    await pool.acquire(slot('a'))
    await pool.retire(entry, sessionScope('a'))
    await pool.close()
    expect(pool.health(entry).links).toBe(0)
  })

  it('waits for a link that never closes only for a limited time', async () => {
    const { pool, slot, behaviour, entry, clock } = setUp()
    behaviour.closing = () => new Promise(() => {})
    await pool.acquire(slot('a'))
    const closed = pool.close()
    await settle()
    clock.advance(linkCloseMs)
    await closed
    expect(pool.health(entry).links).toBe(0)
    expect(clock.waiting).toBe(0)
  })

  it('keeps its limits for any sequence of events', async () => {
    const names = ['a', 'b', 'c', 'd']
    const step = fc.oneof(
      fc.record({ act: fc.constantFrom('acquire', 'release', 'retire'), name: fc.constantFrom(...names) }),
      fc.record({ act: fc.constantFrom('break', 'fail', 'recover', 'sweep', 'settle'), name: fc.constant('a') }),
      fc.record({ act: fc.constant('advance'), name: fc.constantFrom(...names) }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const { pool, slot, behaviour, backend, clock, entry } = setUp({ maxLinks: 2, timeoutMs: 5_000, idleMs: 1_000 })
        const acquired: Promise<Link | OpenFailure>[] = []
        const held: ReturnType<typeof slot>[] = []
        const given = (link: Link | OpenFailure, from: ReturnType<typeof slot>): Link | OpenFailure => {
          held.push(from)
          expect(link instanceof TestLink && !link.open && !from.retired).toBe(false)
          return link
        }
        const acts: Record<string, (name: string) => unknown> = {
          acquire(name) {
            const from = slot(name)
            const link = pool.acquire(from)
            acquired.push(
              link instanceof Promise ? link.then((opened) => given(opened, from)) : Promise.resolve(given(link, from)),
            )
          },
          release: () => held.splice(0, 1).map((one) => pool.release(one)),
          retire: (name) => void pool.retire(entry, sessionScope(name)),
          // Not between an open and the calls that wait for it: the pool always learns of a crash a little late.
          break: async () => {
            await settle()
            backend.open[0]?.break()
            await settle()
          },
          fail: () => (behaviour.opening = () => Promise.reject(new Error('no'))),
          recover: () => (behaviour.opening = async () => {}),
          sweep: () => pool.sweep(),
          advance: () => clock.advance(700),
          settle,
        }
        for (const { act, name } of steps) {
          await acts[act]?.(name)
          expect(backend.open.length).toBeLessThanOrEqual(2)
        }
        for (let round = 0; round < 20; round += 1) {
          await settle()
          clock.advance(5_000)
          expect(backend.open.length).toBeLessThanOrEqual(2)
        }
        await Promise.all(acquired)
        await pool.close()
        expect([backend.open, pool.health(entry).links, clock.waiting]).toEqual([[], 0, 0])
      }),
      { numRuns: 100 },
    )
  })
})
