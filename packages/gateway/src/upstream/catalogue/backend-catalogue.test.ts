import { describe, expect, it } from 'vitest'
import { member, type Payload, payloadOf } from '@junctor/jsonrpc'
import { type Backend, type Scope, silentLog } from '@junctor/contracts'
import { JunctorError } from '@junctor/protocol'
import { createTestPool } from '../../../test/support/home.ts'
import { createManualClock } from '../../../test/support/manual-clock.ts'
import { createTestBackend, sessionScope, testServer } from '../../../test/support/test-backend.ts'
import { BackendCatalogue, unreportedAgeMs } from './backend-catalogue.ts'
import { CatalogueLoader } from './catalogue-loader.ts'

function setUp(about: Partial<Backend> = {}) {
  const clock = createManualClock()
  const backend = createTestBackend({}, about)
  const late: string[][] = []
  const warned: unknown[] = []
  const pool = createTestPool(clock)
  const catalogue = new BackendCatalogue(clock.now)
  const loader = new CatalogueLoader({
    catalogue,
    pool,
    log: { ...silentLog, warn: (_message, fields) => warned.push(fields) },
    clock,
    news: (entry, kinds) => late.push([entry.backend.name, ...kinds]),
  })
  const { entry, behaviour, links } = backend
  let asked = 0
  /** Offers one tool of this name from now on. */
  const offer = (name: string): void => {
    behaviour.list = async (kind) => {
      asked += kind === 'tools' ? 1 : 0
      return kind === 'tools' ? [payloadOf({ name })] : []
    }
  }
  offer('first')
  const names = (scope: Scope, of: 'current' | 'latest' = 'current') =>
    catalogue[of](entry, scope)?.lists.tools.map((item) => ({ name: member(item, 'name')?.value() }))
  return {
    late,
    warned,
    clock,
    pool,
    catalogue,
    loader,
    backend,
    entry,
    behaviour,
    links,
    offer,
    names,
    asked: () => asked,
  }
}

const [a, b] = [sessionScope('a'), sessionScope('b')]

describe('BackendCatalogue', () => {
  it('does not warn of lists that end with their link, because their client has left', async () => {
    const { loader, entry, behaviour, warned, clock } = setUp()
    behaviour.list = async () => {
      throw new JunctorError('CLOSED', 'The link was closed')
    }
    await loader.load(entry, a, 1_000)
    expect(warned).toEqual([])
    clock.advance(1_000)
    behaviour.list = async () => {
      throw new JunctorError('BACKEND_EXITED', 'The program ended')
    }
    await loader.load(entry, a, 1_000)
    expect(warned).toMatchObject([{ backend: entry.backend.name, error: '[BACKEND_EXITED] The program ended' }])
  })

  it('keeps the answer of a link that broke meanwhile for a while only: it reports no changes', async () => {
    const { loader, entry, links, behaviour, names, clock } = setUp()
    behaviour.list = async (kind) => {
      if (kind === 'tools') links[0]?.break()
      await new Promise(setImmediate)
      return kind === 'tools' ? [payloadOf({ name: 'first' })] : []
    }
    await loader.load(entry, a, 1_000)
    expect(names(a)).toEqual([{ name: 'first' }])
    clock.advance(unreportedAgeMs)
    expect(names(a)).toBeUndefined()
  })

  it.each<[string, Partial<Backend>, Partial<Scope>, boolean]>([
    ['another client of the tenant', {}, {}, true],
    ['a client of another tenant', {}, { tenant: 'other' }, false],
    ['a client of a backend that answers each person for itself', { isPersonal: true }, {}, false],
  ])('shows what was listed for one client to %s: only within a tenant', async (_who, about, scope, isShown) => {
    const { loader, entry, catalogue } = setUp(about)
    await loader.load(entry, a, 1_000)
    const other = { ...b, capabilities: { roots: {} }, ...scope }
    expect(catalogue.latest(entry, other)).toBeUndefined()
    expect(catalogue.offeredToOthers(entry, other) !== undefined).toBe(isShown)
    catalogue.forget(entry)
    expect(catalogue.offeredToOthers(entry, other)).toBeUndefined()
  })

  it('knows nothing before the first query, and asks once for all waiting callers', async () => {
    const { catalogue, loader, entry, names, asked } = setUp()
    expect([names(a), names(a, 'latest'), catalogue.server(entry)]).toEqual([undefined, undefined, undefined])
    const before = catalogue.version
    await Promise.all([
      loader.load(entry, a, Infinity),
      loader.load(entry, a, Infinity),
      loader.load(entry, b, Infinity),
    ])
    expect(asked()).toBe(1)
    expect(names(a)).toEqual([{ name: 'first' }])
    expect(names(b)).toEqual(names(a))
    expect(catalogue.server(entry)).toBe(testServer)
    expect(catalogue.version).toBeGreaterThan(before)
  })

  it('reports lists that arrive after a caller has continued without them, once, and no others', async () => {
    const { catalogue, loader, entry, behaviour, clock, late, warned } = setUp()
    await loader.load(entry, sessionScope('quick'), 100)
    expect(late).toEqual([])
    catalogue.forget(entry)
    const listing = Promise.withResolvers<void>()
    behaviour.list = async (kind) => {
      await listing.promise
      return kind === 'tools' ? [payloadOf({ name: 'late' })] : []
    }
    const waiting = [loader.load(entry, a, 100), loader.load(entry, b, 100)]
    await new Promise(setImmediate)
    clock.advance(100)
    await Promise.all(waiting)
    expect(late).toEqual([])
    expect(warned).toEqual([{ backend: entry.backend.name, waitedMs: 100 }])
    listing.resolve()
    await expect.poll(() => late).toEqual([[entry.backend.name, 'tools']])
  })

  it('asks for each era, and until then has the answer of a link for both', async () => {
    const { catalogue, pool, loader, entry, names, offer } = setUp()
    const older: Scope = { ...a, era: 'handshake' }
    const newer: Scope = { ...b, era: 'modern' }
    await loader.load(entry, sessionScope('both'), Infinity)
    expect([names(older), names(newer)]).toEqual([[{ name: 'first' }], [{ name: 'first' }]])
    await loader.load(entry, older, Infinity)
    expect(names(older)).toEqual([{ name: 'first' }])

    offer('second')
    catalogue.changed(pool.slot(entry, newer))
    expect(names(older)).toBeUndefined()
    await loader.load(entry, older, Infinity)
    expect([names(older), names(newer)]).toEqual([[{ name: 'second' }], undefined])
    await loader.load(entry, newer, Infinity)
    expect(names(newer)).toEqual([{ name: 'second' }])
  })

  it('keeps the lists of tenants apart', async () => {
    const { loader, entry, names, offer } = setUp()
    await loader.load(entry, a, Infinity)
    const foreign = sessionScope('c', 'other')
    expect(names(foreign, 'latest')).toBeUndefined()
    offer('second')
    await loader.load(entry, foreign, Infinity)
    expect([names(a), names(foreign)]).toEqual([[{ name: 'first' }], [{ name: 'second' }]])
  })

  it('asks again after a change, and shows the old lists until then', async () => {
    const { catalogue, loader, entry, pool, names, offer } = setUp()
    await loader.load(entry, a, Infinity)
    offer('second')
    catalogue.changed(pool.slot(entry, a))
    expect([names(a), names(a, 'latest')]).toEqual([undefined, [{ name: 'first' }]])
    await loader.load(entry, a, Infinity)
    expect(names(a)).toEqual([{ name: 'second' }])
  })

  it('shows a change on the link of one session to that session only', async () => {
    const { catalogue, loader, entry, pool, names, behaviour } = setUp()
    await loader.load(entry, a, Infinity)
    behaviour.list = async (kind, scope) => (kind === 'tools' ? [payloadOf({ name: `of ${scope.session}` })] : [])
    catalogue.changed(pool.slot(entry, a))
    await Promise.all([loader.load(entry, a, Infinity), loader.load(entry, b, Infinity)])
    expect([names(a), names(b)]).toEqual([[{ name: 'of a' }], [{ name: 'of b' }]])
    catalogue.retired(entry, a)
    expect(names(a)).toEqual([{ name: 'of b' }])
  })

  it('treats an answer as outdated when a change came before it', async () => {
    const { catalogue, loader, entry, pool, names, behaviour, offer } = setUp()
    const listed = Promise.withResolvers<readonly Payload[]>()
    const asked = Promise.withResolvers<void>()
    behaviour.list = (kind) => (asked.resolve(), kind === 'tools' ? listed.promise : Promise.resolve([]))
    const shared = { ...a, session: undefined, key: 'tenant default {}' }
    const loading = loader.load(entry, shared, Infinity)
    await asked.promise
    catalogue.changed(pool.slot(entry, shared))
    listed.resolve([payloadOf({ name: 'first' })])
    await loading
    expect([names(shared), names(shared, 'latest')]).toEqual([undefined, [{ name: 'first' }]])
    offer('second')
    await loader.load(entry, shared, Infinity)
    expect(names(shared)).toEqual([{ name: 'second' }])
  })

  it.each([
    [[{ listChanged: true }], Infinity],
    [[{}], 5 * 60_000],
  ])('asks a backend with tools %j again after %d ms', async ([tools], keptMs) => {
    const { loader, entry, names, behaviour, clock } = setUp()
    behaviour.server = { ...testServer, capabilities: { tools: tools ?? {} } }
    await loader.load(entry, a, Infinity)
    clock.advance(5 * 60_000 - 1)
    expect(names(a)).toEqual([{ name: 'first' }])
    clock.advance(1)
    expect(names(a) !== undefined).toBe(keptMs === Infinity)
  })

  it.each([
    [2 * 60_000, 2 * 60_000],
    [10 * 60_000, 5 * 60_000],
    // Clients that list at the same time share an answer.
    [0, 1_000],
  ])('asks a backend again that says that its lists are valid for %d ms after %d ms', async (ttlMs, keptMs) => {
    const { loader, entry, names, behaviour, clock } = setUp()
    behaviour.server = { ...testServer, capabilities: { tools: {}, prompts: {} } }
    behaviour.hints = (kind) => ({ tools: { ttlMs, scope: 'public' } as const })[kind as 'tools']
    await loader.load(entry, a, Infinity)
    clock.advance(keptMs - 1)
    expect(names(a)).toEqual([{ name: 'first' }])
    clock.advance(1)
    expect(names(a)).toBeUndefined()
  })

  it('leaves out a backend that cannot be reached, until it may be asked again', async () => {
    const { loader, entry, names, behaviour, clock } = setUp()
    let opens = 0
    behaviour.opening = () => ((opens += 1), Promise.reject(new Error('refused')))
    await loader.load(entry, a, Infinity)
    await loader.load(entry, a, Infinity)
    expect([names(a), opens]).toEqual([undefined, 1])
    behaviour.opening = async () => {}
    clock.advance(1_000)
    await loader.load(entry, a, Infinity)
    expect(names(a)).toEqual([{ name: 'first' }])
  })

  it('leaves out a backend that does not list, and stops asking after a while', async () => {
    const { loader, entry, names, behaviour, clock } = setUp()
    const asked = Promise.withResolvers<AbortSignal>()
    behaviour.list = (_, __, signal) => (asked.resolve(signal), new Promise(() => {}))
    const loading = loader.load(entry, a, Infinity)
    const signal = await asked.promise
    clock.advance(15_000)
    expect(signal.aborted).toBe(true)
    clock.advance(2_000)
    await loading
    expect([names(a), clock.waiting]).toEqual([undefined, 0])
  })

  it('soon asks a backend again that listed nothing, because the only list that has something failed', async () => {
    const { loader, entry, names, behaviour, clock } = setUp()
    const { list } = behaviour
    behaviour.list = (kind) => (kind === 'tools' ? Promise.reject(new Error('HTTP 503')) : Promise.resolve([]))
    await loader.load(entry, a, Infinity)
    behaviour.list = list
    clock.advance(1_000)
    await loader.load(entry, a, Infinity)
    expect(names(a)).toEqual([{ name: 'first' }])
  })

  it('counts the failures of each answer on its own', async () => {
    const { catalogue, loader, entry, behaviour, clock } = setUp({ isPersonal: true })
    behaviour.list = async (kind) => {
      if (kind === 'tools') throw new Error('HTTP 503')
      return kind === 'prompts' ? [payloadOf({ name: 'greet' })] : []
    }
    for (let round = 0; round < 5; round += 1) {
      await loader.load(entry, a, Infinity)
      clock.advance(30_000)
    }
    await loader.load(entry, b, Infinity)
    expect(catalogue.askedAgainInMs(entry, b)).toBe(1_000)
  })

  it('keeps a list that fails, and asks again after a second, then after longer and longer', async () => {
    const { catalogue, loader, entry, pool, names, behaviour, clock } = setUp()
    let asked = 0
    let fails = true
    behaviour.list = async (kind) => {
      if (kind === 'prompts') return [payloadOf({ name: 'greet' })]
      if (kind !== 'tools') return []
      asked += 1
      if (fails) throw new Error('HTTP 503')
      return [payloadOf({ name: 'first' })]
    }
    const listedAfter = async (ms: number) => {
      clock.advance(ms)
      await loader.load(entry, a, Infinity)
      return [asked, catalogue.latest(entry, a)?.failures.tools?.message, ...(names(a, 'latest') ?? [])]
    }
    expect(await listedAfter(0)).toEqual([1, 'HTTP 503'])
    expect(await listedAfter(999)).toEqual([1, 'HTTP 503'])
    fails = false
    expect(await listedAfter(1)).toEqual([2, undefined, { name: 'first' }])
    fails = true
    catalogue.changed(pool.slot(entry, a))
    const kept = ['HTTP 503', { name: 'first' }] as const
    expect(await listedAfter(0)).toEqual([3, ...kept])
    expect(await listedAfter(1_000)).toEqual([4, ...kept])
    expect(await listedAfter(1_000)).toEqual([4, ...kept])
    expect(await listedAfter(1_000)).toEqual([5, ...kept])
    for (let round = 0; round < 10; round += 1) await listedAfter(30_000)
    expect(asked).toBe(15)
    expect(await listedAfter(29_999)).toEqual([15, ...kept])
  })

  it.each([
    ['keeps the only list that has something, when it fails', {}, [{ name: 'first' }]],
    ['keeps no list of one person: the access may have ended', { isPersonal: true }, undefined],
  ])('%s', async (_, about, expected) => {
    const { catalogue, loader, entry, pool, names, behaviour } = setUp(about)
    await loader.load(entry, a, Infinity)
    behaviour.list = (kind) => (kind === 'tools' ? Promise.reject(new Error('HTTP 503')) : Promise.resolve([]))
    catalogue.changed(pool.slot(entry, a))
    await loader.load(entry, a, Infinity)
    expect(names(a, 'latest')).toEqual(expected)
  })

  it('asks again for callers that waited for the query of a session that ended', async () => {
    const { catalogue, loader, entry, pool, names, behaviour, offer, links } = setUp()
    const opening = Promise.withResolvers<void>()
    const asked = Promise.withResolvers<void>()
    behaviour.opening = () => (asked.resolve(), opening.promise)
    const loading = [loader.load(entry, a, Infinity), loader.load(entry, b, Infinity)]
    await asked.promise
    behaviour.opening = async () => {}
    offer('second')
    catalogue.retired(entry, a)
    const retired = pool.retire(entry, a)
    opening.resolve()
    await Promise.all([...loading, retired])
    expect(names(b)).toEqual([{ name: 'second' }])
    expect(links.filter(({ open }) => open).map(({ scope }) => scope.session)).toEqual(['b'])
  })

  it('opens no link for a caller that has ended, also when it has waited for the query of another', async () => {
    const { catalogue, loader, entry, pool, behaviour, links } = setUp()
    const [opening, asked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    behaviour.opening = () => (asked.resolve(), opening.promise)
    const owner = { ended: false }
    const loading = [loader.load(entry, a, Infinity), loader.load(entry, b, Infinity, owner)]
    await asked.promise
    owner.ended = true
    for (const scope of [a, b]) catalogue.retired(entry, scope)
    const retired = [a, b].map((scope) => pool.retire(entry, scope))
    opening.resolve()
    await Promise.all([...loading, ...retired])
    await loader.load(entry, b, Infinity, owner)
    expect(links.filter(({ open }) => open)).toEqual([])
    expect(pool.health(entry).links).toBe(0)
  })

  it('holds the link only while it lists', async () => {
    const { loader, entry, pool, behaviour } = setUp()
    const { list } = behaviour
    const holds: number[] = []
    behaviour.list = (kind, scope, signal) => {
      holds.push(pool.slot(entry, a).holds)
      return list(kind, scope, signal)
    }
    await loader.load(entry, a, Infinity)
    expect([holds, pool.slot(entry, a).holds]).toEqual([[1, 1, 1, 1], 0])
  })

  it('forgets everything about a backend that is gone or back', async () => {
    const { catalogue, loader, entry, names } = setUp()
    await loader.load(entry, a, Infinity)
    const before = catalogue.version
    catalogue.forget(entry)
    expect([names(a), names(a, 'latest')]).toEqual([undefined, undefined])
    expect(catalogue.version).toBeGreaterThan(before)
  })
})
