import { mcpProfile, n8nProfile, type Profile } from '@junctor/protocol'
import { describe, expect, it } from 'vitest'
import { silentLog } from '@junctor/contracts'
import { payloadOf } from '@junctor/jsonrpc'
import { createHome, createTestPool } from '../../../test/support/home.ts'
import { createManualClock } from '../../../test/support/manual-clock.ts'
import { createTestBackend, testServer } from '../../../test/support/test-backend.ts'
import { tenantOf } from '../../../test/support/test-nodes.ts'
import { defaultGatewayLimits } from '../../shared/limits.ts'
import type { Caller } from './caller.ts'
import type { CallerView } from './caller-view.ts'
import { BackendCatalogue } from '../catalogue/backend-catalogue.ts'
import { CatalogueLoader } from '../catalogue/catalogue-loader.ts'
import { MergedViews } from '../catalogue/merged-views.ts'
import { CallerViews } from './caller-views.ts'

function setUp(profile: Profile = mcpProfile, prefixes = ['one', 'two']) {
  const clock = createManualClock()
  const pool = createTestPool(clock)
  const catalogue = new BackendCatalogue(clock.now)
  const loader = new CatalogueLoader({ catalogue, pool, log: silentLog, clock, news: () => {} })
  const backends = ['one', 'two'].map((name, at) => createTestBackend({ prefix: prefixes[at] ?? name }, { name }))
  const [one, two] = backends as [(typeof backends)[0], (typeof backends)[0]]
  const tenant = tenantOf([one.entry, two.entry], 'default', profile)
  const views = new CallerViews({
    catalogue,
    loader,
    merged: new MergedViews(defaultGatewayLimits.pageItems, silentLog),
    limits: defaultGatewayLimits,
  })
  const home = (id: string, capabilities = {}) => createHome(id, tenant, pool, capabilities).session
  return { clock, pool, catalogue, views, one, two, home }
}

const names = ({ view }: CallerView) => [...view.routes.tools.keys()]

describe('CallerViews', () => {
  it('merges what the backends offer, and then returns it immediately', async () => {
    const { views, home } = setUp()
    const session = home('a')
    const seen = await views.of(session)
    expect(names(seen)).toEqual(['one__echo', 'two__echo'])
    expect(views.of(session)).toBe(seen)
  })

  it('opens no link for a session that has ended: nothing would close it', async () => {
    const { views, home, one, two } = setUp()
    const session = home('a')
    session.ended = true
    expect(names(await views.of(session))).toEqual([])
    await views.forName(session, 'tools', 'one__echo')
    expect([one, two].flatMap(({ links }) => links)).toEqual([])
  })

  it('is merged once for sessions that see the same', async () => {
    const { views, home } = setUp()
    const [first, second] = [await views.of(home('a')), await views.of(home('b'))]
    expect(second.view).toBe(first.view)
    expect(second.pages).toBe(first.pages)
  })

  it('waits for a backend no longer than for a start, and reports which is missing', async () => {
    const { views, home, two, clock } = setUp()
    const opening = Promise.withResolvers<void>()
    two.behaviour.opening = () => opening.promise
    const session = home('a')
    const waiting = views.of(session)
    await new Promise(setImmediate)
    clock.advance(defaultGatewayLimits.startWaitMs)
    const seen = await waiting
    expect(names(seen)).toEqual(['one__echo'])
    expect(seen.missing.map(({ entry }) => entry)).toEqual([two.entry])
    // The next caller does not wait as long again.
    expect((await views.of(session)).missing.map(({ entry }) => entry)).toEqual([two.entry])
    opening.resolve()
    await new Promise(setImmediate)
    expect(names(await views.of(session))).toEqual(['one__echo', 'two__echo'])
  })

  it('shows what other clients are offered while a backend does not answer for new capabilities', async () => {
    const { views, home, two, clock } = setUp()
    await views.of(home('a'))
    const opening = Promise.withResolvers<void>()
    two.behaviour.opening = () => opening.promise
    two.behaviour.list = async (kind) => (kind === 'tools' ? [payloadOf({ name: 'ask' })] : [])
    const session = home('b', { roots: {} })
    const found = views.forName(session, 'tools', 'two__echo')
    expect(found).not.toBeInstanceOf(Promise)
    const waiting = views.of(session)
    await new Promise(setImmediate)
    clock.advance(defaultGatewayLimits.startWaitMs)
    const seen = await waiting
    expect(names(seen)).toEqual(['one__echo', 'two__echo'])
    // A name that is not among them may still be one of its own.
    expect(seen.missing.map(({ entry }) => entry)).toEqual([two.entry])
    opening.resolve()
    await new Promise(setImmediate)
    expect(names(await views.of(session))).toEqual(['one__echo', 'two__ask'])
    expect(names(await views.of(home('c')))).toEqual(['one__echo', 'two__echo'])
  })

  it('shows nothing of a backend that could not be reached for new capabilities', async () => {
    const { views, home, two } = setUp()
    await views.of(home('a'))
    two.behaviour.opening = () => Promise.reject(new Error('refused'))
    expect(names(await views.of(home('b', { roots: {} })))).toEqual(['one__echo'])
  })

  it('asks a backend with a new configuration, although the one that it replaces still hangs', async () => {
    const { views, home, two, clock } = setUp()
    const opening = Promise.withResolvers<void>()
    two.behaviour.opening = () => opening.promise
    const waiting = views.of(home('a'))
    await new Promise(setImmediate)
    clock.advance(defaultGatewayLimits.startWaitMs)
    expect(names(await waiting)).toEqual(['one__echo'])
    const replaced = createTestBackend({ prefix: 'two' }, { name: 'two' })
    const session = home('b')
    session.tenant = tenantOf([session.tenant.backends[0] ?? two.entry, replaced.entry])
    expect(names(await views.of(session))).toEqual(['one__echo', 'two__echo'])
  })

  it('waits longer for a start when clients are not notified of later changes', async () => {
    const { views, home, two, clock } = setUp(n8nProfile)
    const opening = Promise.withResolvers<void>()
    two.behaviour.opening = () => opening.promise
    let seen: CallerView | undefined
    const waiting = (async () => (seen = await views.of(home('a'))))()
    await new Promise(setImmediate)
    clock.advance(defaultGatewayLimits.unannouncedStartWaitMs - 1)
    await new Promise(setImmediate)
    expect(seen).toBeUndefined()
    opening.resolve()
    expect(names(await waiting)).toEqual(['one:echo', 'two:echo'])
  })

  it('makes a new view when the lists of a backend are too old, also when nothing was reported', async () => {
    const { views, home, one, clock } = setUp()
    one.behaviour.server = { ...testServer, capabilities: { tools: {} } }
    const session = home('a')
    await views.of(session)
    one.behaviour.list = async (kind) => (kind === 'tools' ? [payloadOf({ name: 'other' })] : [])
    clock.advance(5 * 60_000 - 1)
    expect(names(await views.of(session))).toEqual(['one__echo', 'two__echo'])
    clock.advance(1)
    expect(names(await views.of(session))).toEqual(['one__other', 'two__echo'])
  })

  it('makes a new view after a change', async () => {
    const { views, home, one, catalogue, pool } = setUp()
    const session = home('a')
    const before = await views.of(session)
    one.behaviour.list = async (kind) => (kind === 'tools' ? [payloadOf({ name: 'other' })] : [])
    catalogue.changed(pool.slot(one.entry, session.scope(one.entry)))
    const after = await views.of(session)
    expect(names(after)).toEqual(['one__other', 'two__echo'])
    expect(names(before)).toEqual(['one__echo', 'two__echo'])
  })

  it('forgets an outdated view of a caller that sends nothing: it keeps all lists of that time', async () => {
    const { views, home, one, catalogue, pool } = setUp()
    const [idle, other] = [home('a'), home('b')]
    const before = await views.of(idle)
    views.forgetOutdated([idle, other])
    expect(idle.lastView).toBe(before)
    catalogue.changed(pool.slot(one.entry, idle.scope(one.entry)))
    await views.of(other)
    views.forgetOutdated([idle, other])
    expect(idle.lastView).toBeUndefined()
    expect(other.lastView).toBeDefined()
    expect(names(views.seen(idle))).toEqual(names(before))
  })

  it('returns a known name immediately while a backend is asked again, and waits for an unknown name', async () => {
    const { views, home, one, catalogue, pool } = setUp()
    const session = home('a')
    await views.of(session)
    const listing = Promise.withResolvers<void>()
    one.behaviour.list = async (kind) => {
      await listing.promise
      return kind === 'tools' ? [payloadOf({ name: 'other' })] : []
    }
    catalogue.changed(pool.slot(one.entry, session.scope(one.entry)))
    for (let call = 0; call < 2; call += 1) {
      const seen = views.forName(session, 'tools', 'two__echo')
      expect(seen).not.toBeInstanceOf(Promise)
      expect(names(seen as CallerView)).toContain('two__echo')
    }
    const waiting = views.forName(session, 'tools', 'one__other')
    expect(waiting).toBeInstanceOf(Promise)
    listing.resolve()
    expect(names(await waiting)).toEqual(['one__other', 'two__echo'])
    // The backend was asked again for the first call, so the next call finds the name.
    expect(views.of(session)).not.toBeInstanceOf(Promise)
  })

  it.each(['two__echo', 'two__other'])(
    'waits for the backend that may have the name %s as long as a call',
    async (name) => {
      const { views, home, two, clock } = setUp()
      const opening = Promise.withResolvers<void>()
      two.behaviour.opening = () => opening.promise
      let seen: CallerView | undefined
      const waiting = (async () => (seen = await views.forName(home('a'), 'tools', name)))()
      await new Promise(setImmediate)
      clock.advance(defaultGatewayLimits.startWaitMs)
      await new Promise(setImmediate)
      clock.advance(two.entry.timeoutMs - defaultGatewayLimits.startWaitMs - 1)
      await new Promise(setImmediate)
      expect(seen).toBeUndefined()
      opening.resolve()
      expect(names(await waiting)).toEqual(['one__echo', 'two__echo'])
    },
  )

  it('waits for a starting backend no longer than a call may take, and not at all for the names of others', async () => {
    const { views, home, two, clock } = setUp()
    two.behaviour.opening = () => new Promise(() => {})
    const session = home('a')
    const [own, other] = ['two__echo', 'one__other'].map((name) => views.forName(session, 'tools', name))
    await new Promise(setImmediate)
    clock.advance(defaultGatewayLimits.startWaitMs)
    expect((await other)?.missing.map(({ entry }) => entry)).toEqual([two.entry])
    await new Promise(setImmediate)
    clock.advance(two.entry.timeoutMs - defaultGatewayLimits.startWaitMs)
    expect((await own)?.missing.map(({ entry }) => entry)).toEqual([two.entry])
    expect(views.retryAfterMs(session, two.entry)).toBe(1_000)
  })

  it('waits for no other backend when the name has the prefix of its own', async () => {
    const { views, home, two } = setUp()
    two.behaviour.opening = () => new Promise(() => {})
    const seen = await views.forName(home('a'), 'tools', 'one__echo')
    expect(names(seen)).toEqual(['one__echo'])
    expect(seen.missing.map(({ entry }) => entry)).toEqual([two.entry])
  })

  it('does not use its knowledge while a backend that may have the name is unknown: it may be of both', async () => {
    const { views, home, two } = setUp(mcpProfile, ['', ''])
    const opening = Promise.withResolvers<void>()
    two.behaviour.opening = () => opening.promise
    const waiting = views.forName(home('a'), 'tools', 'echo')
    expect(waiting).toBeInstanceOf(Promise)
    opening.resolve()
    expect(names(await waiting)).toEqual([])
  })

  it.each<[string, (views: CallerViews, session: Caller) => CallerView | Promise<CallerView>]>([
    ['a name', (views, session) => views.forName(session, 'tools', 'echo')],
    ['what it looks for', (views, session) => views.forMatch(session, ({ view }) => view.routes.tools.has('echo'))],
  ])('finds %s immediately while a backend that has failed is asked again', async (_what, find) => {
    const { views, home, two, clock } = setUp(mcpProfile, ['', ''])
    two.behaviour.list = () => Promise.reject(new Error('no list'))
    const session = home('a')
    expect(names(await find(views, session))).toEqual(['echo'])
    two.behaviour.list = () => new Promise(() => {})
    clock.advance(60_000)
    for (let call = 0; call < 2; call += 1) {
      const seen = find(views, session)
      expect(seen).not.toBeInstanceOf(Promise)
      expect(names(seen as CallerView)).toEqual(['echo'])
    }
  })
})
