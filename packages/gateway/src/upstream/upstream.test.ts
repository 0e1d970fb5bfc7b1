import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createErrorReporter, silentLog, emitNothing } from '@junctor/contracts'
import { createMemoryBus, createMemoryFabric } from '@junctor/fabric'
import { payloadOf } from '@junctor/jsonrpc'
import { createRequest, eventually, recordExchange } from '@junctor/testkit'
import { createHome, type Home } from '../../test/support/home.ts'
import { createManualClock } from '../../test/support/manual-clock.ts'
import { createTestBackend, testServer } from '../../test/support/test-backend.ts'
import { tenantOf } from '../../test/support/test-nodes.ts'
import type { BackendEntry } from '../shared/backend-entry.ts'
import { defaultGatewayLimits } from '../shared/limits.ts'
import { Call } from './calls/call.ts'
import { unreportedAgeMs } from './catalogue/backend-catalogue.ts'
import { createUpstream } from './upstream.ts'

function setUp(entry: Partial<BackendEntry> = {}) {
  const clock = createManualClock()
  const backend = createTestBackend(entry)
  const tenant = tenantOf([backend.entry])
  const homes = new Map<string, Home>()
  const upstream = createUpstream({
    fabric: createMemoryFabric(createMemoryBus()),
    tenants: new Map([['default', tenant]]),
    callers: {
      peek: (id) => homes.get(id)?.session,
      homes: () => [...homes.values()].map(({ session }) => session),
    },
    limits: { ...defaultGatewayLimits, listChangedMs: 100 },
    clock,
    log: silentLog,
    emit: emitNothing,
    reportError: createErrorReporter(silentLog, emitNothing),
  })
  /** A caller that has loaded its view, so that its links are open. */
  const home = async (id: string) => {
    const made = createHome(id, tenant, upstream)
    homes.set(id, made)
    await upstream.views.of(made.session)
    return made
  }
  const linkOf = (id: string) => backend.links.find(({ scope }) => scope.session === id)
  return { upstream, clock, backend, home, linkOf }
}

const callRequest = createRequest('tools/call', { name: 'echo' })
const callOf = (session: Home['session']) =>
  new Call(session, callRequest, recordExchange({ request: callRequest }).exchange)

const listChanged = { method: 'notifications/tools/list_changed', params: undefined }
const updated = { method: 'notifications/resources/updated', params: payloadOf({ uri: 'file:///x' }) }
const listsIn = (notifications: Home['notifications']) =>
  notifications.filter(({ method }) => method !== updated.method)

describe('Upstream', () => {
  it('reports changed lists to the catalogue immediately, and to the callers of the link after a while', async () => {
    const { upstream, clock, backend, home } = setUp({ isolation: 'shared' })
    const [a, b] = [await home('a'), await home('b')]
    const before = await upstream.views.of(a.session)
    backend.links[0]?.client.notify(listChanged)
    expect(upstream.views.of(a.session)).toBeInstanceOf(Promise)
    expect([a.notifications, b.notifications]).toEqual([[], []])
    clock.advance(100)
    expect([a.notifications, b.notifications]).toEqual([[listChanged], [listChanged]])
    expect(await upstream.views.of(a.session)).not.toBe(before)
  })

  it.each([
    ['other lists', ['echo', 'more'], [listChanged]],
    ['the same lists', ['echo'], []],
  ])('tells callers when a server that announces no changes gives %s after a while', async (_, names, announced) => {
    const { upstream, clock, backend, home } = setUp()
    backend.behaviour.server = { ...testServer, capabilities: { tools: {} } }
    const a = await home('a')
    backend.behaviour.list = async (kind) => (kind === 'tools' ? names.map((name) => payloadOf({ name })) : [])
    clock.advance(unreportedAgeMs)
    await upstream.views.of((await home('b')).session)
    clock.advance(100)
    expect(a.notifications).toEqual(announced)
  })

  it.each([
    ['asks again after a while for lists of which no link reports changes', false, ['one__more']],
    ['does not ask again for lists of which a link reports changes', true, ['one__echo']],
  ])('%s', async (_, isReported, names) => {
    const { upstream, clock, backend, home } = setUp()
    await home('a')
    clock.advance(backend.entry.idleMs)
    if (isReported) await upstream.calls.run(callOf((await home('b')).session), backend.entry, callRequest)
    upstream.sweep()
    await eventually(() => expect(backend.open).toHaveLength(isReported ? 1 : 0))
    backend.behaviour.list = async (kind) => (kind === 'tools' ? [payloadOf({ name: 'more' })] : [])
    const c = await home('c')
    clock.advance(unreportedAgeMs)
    const { view } = await upstream.views.of(c.session)
    expect([...view.routes.tools.keys()]).toEqual(names)
  })

  it.each([
    ['lists something else', ['echo', 'more'], [listChanged]],
    ['lists the same', ['echo'], []],
  ])('announces the lists of a link that replaces another and %s', async (_, names, announced) => {
    const { upstream, clock, backend, home } = setUp({ isolation: 'shared' })
    const a = await home('a')
    const before = await upstream.views.of(a.session)
    backend.behaviour.list = async (kind) => (kind === 'tools' ? names.map((name) => payloadOf({ name })) : [])
    backend.links[0]?.break()
    await eventually(() => expect(a.session.slot(backend.entry).link).toBeUndefined())
    clock.advance(500)
    // This opens the link again.
    upstream.subscriptions.takeIn(a.session, [['one', 'file:///x']])
    await eventually(() => expect(a.session.slot(backend.entry).link).toBeDefined())
    await setImmediate()
    clock.advance(100)
    expect(listsIn(a.notifications)).toEqual(announced)
    const after = await upstream.views.of(a.session)
    expect(after.view === before.view).toBe(announced.length === 0)
    expect([...after.view.routes.tools.keys()]).toEqual(names.map((name) => `one__${name}`))
  })

  it('announces the lists of a new version of a server to the session that has it, and to no other', async () => {
    const { upstream, clock, backend, home } = setUp()
    const [a, b] = [await home('a'), await home('b')]
    backend.behaviour.list = async (kind) => (kind === 'tools' ? [payloadOf({ name: 'more' })] : [])
    backend.behaviour.server = { ...testServer, info: { name: 'test', version: '2' } }
    upstream.subscriptions.takeIn(b.session, [['one', 'file:///x']])
    await eventually(() => expect(b.session.slot(backend.entry).link).toBeDefined())
    await setImmediate()
    clock.advance(100)
    expect([a.notifications, listsIn(b.notifications)]).toEqual([[], [listChanged]])
    expect([...(await upstream.views.of(b.session)).view.routes.tools.keys()]).toEqual(['one__more'])
  })

  it('notifies only the subscribers of an updated resource, also from a link that replaces another', async () => {
    const { upstream, clock, backend, home } = setUp({ isolation: 'shared' })
    const [a, b] = [await home('a'), await home('b')]
    upstream.subscriptions.takeIn(a.session, [['one', 'file:///x']])
    const [first] = backend.links
    first?.break()
    await eventually(() => expect(a.session.slot(backend.entry).link).toBeUndefined())
    clock.advance(500)
    // This opens the link again.
    upstream.subscriptions.takeIn(b.session, [['one', 'file:///y']])
    await eventually(() => expect(a.session.slot(backend.entry).link).toBeDefined())
    const [, second] = backend.links
    expect(second?.requests.map(({ params }) => params?.value())).toEqual([{ uri: 'file:///x' }, { uri: 'file:///y' }])
    // What has become of the resources meanwhile is unknown.
    const urisOf = ({ notifications }: typeof a) => notifications.map(({ params }) => params?.value())
    const [x, y] = [{ uri: 'one+file:///x' }, { uri: 'one+file:///y' }]
    await eventually(() => expect([urisOf(a).length, urisOf(b)]).toEqual([1, [y]]))
    second?.client.notify(updated)
    clock.advance(100)
    expect([urisOf(a), urisOf(b)]).toEqual([[x, x], [y]])
  })

  it('notifies callers when a backend becomes unreachable, and when it is reachable again', async () => {
    const { upstream, clock, backend, home } = setUp()
    const everyList = ['tools', 'resources', 'prompts'].map((kind) => `notifications/${kind}/list_changed`)
    backend.behaviour.opening = () => Promise.reject(new Error('refused'))
    const { session, notifications } = await home('a')
    clock.advance(100)
    expect(notifications.map(({ method }) => method)).toEqual(everyList)
    backend.behaviour.opening = async () => {}
    clock.advance(1_000)
    await upstream.views.of(session)
    clock.advance(100)
    expect(notifications.map(({ method }) => method)).toEqual([...everyList, ...everyList])
  })

  it('closes the links of a caller that has ended, and no other', async () => {
    const { upstream, home, linkOf } = setUp()
    const [a, b] = [await home('a'), await home('b')]
    upstream.subscriptions.takeIn(b.session, [['one', 'file:///x']])
    await eventually(() => expect([linkOf('a')?.open, linkOf('b')?.open]).toEqual([true, true]))
    await upstream.ends.retire(a.session)
    expect([linkOf('a')?.open, linkOf('b')?.open]).toEqual([false, true])
  })
})
