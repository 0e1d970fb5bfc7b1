import { emptyOutcome } from '../../shared/empty-outcome.ts'
import { Call } from '../calls/call.ts'
import { describe, expect, it } from 'vitest'
import type { Client } from '@junctor/exchange'
import { emitNothing, type Link, silentLog } from '@junctor/contracts'
import { payloadOf } from '@junctor/jsonrpc'
import { createRequest, eventually, recordExchange } from '@junctor/testkit'
import { createHome, createTestPool, noInnerCalls } from '../../../test/support/home.ts'
import { createManualClock } from '../../../test/support/manual-clock.ts'
import { createTestBackend } from '../../../test/support/test-backend.ts'
import { tenantOf } from '../../../test/support/test-nodes.ts'
import type { BackendEntry } from '../../shared/backend-entry.ts'
import { BackendCalls } from '../calls/backend-calls.ts'
import type { HomeSession } from '../../sessions/session/home-session.ts'
import { CallGate } from '../calls/call-gate.ts'
import { createLogLevels } from '../calls/log-levels.ts'
import { LinkSubscriptions } from './link-subscriptions.ts'
import { OwnUris } from './own-uris.ts'
import { addSubscriber, subscribersOf } from './slot-subscriptions.ts'
import { Subscriptions } from './subscriptions.ts'

const complete = { kind: 'complete', result: payloadOf({}) } as const

function setUp(entry: Partial<BackendEntry> = { isolation: 'shared' }) {
  const clock = createManualClock()
  const client = { context: createHome('x', tenantOf([]), createTestPool(clock)).session.context } as Client
  const pool = createTestPool(clock, { client: () => client })
  const backend = createTestBackend(entry)
  const links = new LinkSubscriptions(clock)
  const subscriptions = new Subscriptions(
    new BackendCalls({
      pool,
      levels: createLogLevels(clock),
      gate: new CallGate(clock, 100),
      inner: noInnerCalls,
      clock,
      emit: emitNothing,
      log: silentLog,
      random: () => 0,
    }),
    pool,
    links,
    new OwnUris(),
  )
  const tenant = tenantOf([backend.entry])
  const home = (id: string) => createHome(id, tenant, pool).session
  const act = (kind: 'subscribe' | 'unsubscribe') => (session: HomeSession, uri: string) => {
    const request = createRequest(`resources/${kind}`, { uri: `shown ${uri}` })
    const { exchange } = recordExchange({ request })
    return subscriptions[kind](new Call(session, request, exchange), { entry: backend.entry, name: uri, shown: uri })
  }
  /** The requests to the backend, as `<method> <uri>`. */
  const asked = () =>
    backend.links.flatMap(({ requests }) =>
      requests.map(({ method, params }) => {
        const { uri } = (params ?? payloadOf({})).value() as { uri?: string }
        return `${method.split('/')[1]} ${uri}`
      }),
    )
  const notified = (session: HomeSession, uri: string) => [...subscribersOf(session.slot(backend.entry), uri)]
  return {
    clock,
    pool,
    backend,
    links,
    subscriptions,
    home,
    subscribe: act('subscribe'),
    unsubscribe: act('unsubscribe'),
    asked,
    notified,
  }
}

describe('Subscriptions', () => {
  it('that another node had is made again when the backend cannot be opened at first', async () => {
    const { clock, backend, subscriptions, home } = setUp({})
    let attempts = 0
    backend.behaviour.opening = () => {
      attempts += 1
      return attempts < 4 ? Promise.reject(new Error('not yet')) : Promise.resolve()
    }
    subscriptions.takeIn(home('a'), [
      ['one', 'file:///x'],
      ['one', 'file:///y'],
    ])
    for (let second = 0; second < 10; second += 1) {
      // oxlint-disable-next-line no-await-in-loop -- one second after the other
      await new Promise(setImmediate)
      clock.advance(1_000)
    }
    expect([attempts, backend.open.length]).toEqual([4, 1])
  })

  it('is not made again at a backend that has been removed', async () => {
    const { clock, backend, pool, subscriptions, home } = setUp({})
    await pool.remove(backend.entry)
    subscriptions.takeIn(home('a'), [['one', 'file:///x']])
    await new Promise(setImmediate)
    expect([backend.links, clock.waiting]).toEqual([[], 0])
  })

  it('stays when the last other session unsubscribes before the backend has answered', async () => {
    const { backend, home, subscribe, unsubscribe, asked, notified } = setUp()
    const [a, b] = [home('a'), home('b')]
    await subscribe(a, 'file:///x')
    const subscribed = Promise.withResolvers<typeof complete>()
    const unsubscribed = Promise.withResolvers<typeof complete>()
    backend.behaviour.call = ({ method }) =>
      method === 'resources/subscribe' ? subscribed.promise : unsubscribed.promise
    const leaving = unsubscribe(a, 'file:///x')
    const coming = subscribe(b, 'file:///x')
    await eventually(() => expect(asked()).toHaveLength(3))
    unsubscribed.resolve(complete)
    await leaving
    subscribed.resolve(complete)
    await coming
    expect(notified(b, 'file:///x')).toEqual(['b'])
    expect(asked().at(-1)).toBe('subscribe file:///x')
    expect(asked()).toHaveLength(4)
  })

  it('is ended by a request that comes before the backend has answered the subscription', async () => {
    const { backend, home, subscribe, unsubscribe, asked, notified } = setUp()
    const answered = Promise.withResolvers<typeof complete>()
    backend.behaviour.call = ({ method }) => (method === 'resources/subscribe' ? answered.promise : complete)
    const a = home('a')
    const subscribing = subscribe(a, 'file:///x')
    await eventually(() => expect(asked()).toEqual(['subscribe file:///x']))
    expect(await unsubscribe(a, 'file:///x')).toMatchObject({ kind: 'complete' })
    expect(notified(a, 'file:///x')).toEqual([])
    answered.resolve(complete)
    await subscribing
    expect([notified(a, 'file:///x'), a.subscriptions]).toEqual([[], 0])
    expect(asked()).toEqual(['subscribe file:///x', 'unsubscribe file:///x'])
  })

  it('subscribes at the backend once for all sessions of a link, and unsubscribes with the last', async () => {
    const { home, subscribe, unsubscribe, asked, notified } = setUp()
    const [a, b] = [home('a'), home('b')]
    await subscribe(a, 'file:///x')
    await subscribe(b, 'file:///x')
    expect(notified(a, 'file:///x')).toEqual(['a', 'b'])
    await unsubscribe(a, 'file:///x')
    expect([asked(), notified(b, 'file:///x')]).toEqual([['subscribe file:///x'], ['b']])
    await unsubscribe(b, 'file:///x')
    await unsubscribe(b, 'file:///x')
    expect(asked()).toEqual(['subscribe file:///x', 'unsubscribe file:///x'])
  })

  it.each([
    ['file:///dir', 'file:///dir/a', true],
    ['file:///dir/', 'file:///dir/a', true],
    ['file:///a', 'file:///a?q=1', true],
    ['file:///a', 'file:///ab', false],
    ['file:///dir/a', 'file:///dir', false],
  ])('a session that is subscribed to %s is notified of %s: %s', async (subscribed, updated, isNotified) => {
    const { home, subscribe, notified } = setUp()
    const session = home('a')
    await subscribe(session, subscribed)
    expect(notified(session, updated)).toEqual(isNotified ? ['a'] : [])
  })

  it('does not notify a subscriber of a resource of updates of another subscribed resource inside it', async () => {
    const { home, subscribe, notified } = setUp()
    const [a, b] = [home('a'), home('b')]
    await subscribe(a, 'file:///')
    await subscribe(b, 'file:///secret')
    expect(notified(a, 'file:///secret')).toEqual(['b'])
  })

  it('unsubscribes a shared link when the session has ended before the backend answered', async () => {
    const { home, subscribe, subscriptions, asked, backend } = setUp()
    const session = home('a')
    backend.behaviour.call = ({ method }) => {
      if (method === 'resources/subscribe') {
        session.ended = true
        subscriptions.end(session)
      }
      return complete
    }
    await subscribe(session, 'file:///x')
    expect(asked()).toEqual(['subscribe file:///x', 'unsubscribe file:///x'])
  })

  it('unsubscribes when the request was cancelled before the backend answered', async () => {
    const { home, subscriptions, asked, backend } = setUp()
    const request = createRequest('resources/subscribe', { uri: 'shown' })
    const { exchange } = recordExchange({ request })
    backend.behaviour.call = ({ method }) => {
      if (method !== 'resources/subscribe') return complete
      exchange.end('cancelled')
      return new Promise(() => {})
    }
    const route = { entry: backend.entry, name: 'file:///x', shown: 'shown' }
    const outcome = await subscriptions.subscribe(new Call(home('a'), request, exchange), route)
    expect(outcome.kind).toBe('error')
    expect(asked()).toEqual(['subscribe file:///x', 'unsubscribe file:///x'])
  })

  it('makes no slot for a session that has ended: nothing would remove it', async () => {
    const { home, subscribe, unsubscribe, asked, backend } = setUp({ isolation: 'session' })
    const session = home('a')
    session.ended = true
    for (const act of [subscribe, unsubscribe]) {
      expect(await act(session, 'file:///x')).toMatchObject({ error: { data: expect.anything() } })
    }
    expect([asked(), session.slots(), backend.links]).toEqual([[], [], []])
  })

  it('does not count a subscription that the backend refuses', async () => {
    const { home, subscribe, notified, backend } = setUp()
    backend.behaviour.call = () => ({ kind: 'error', error: { code: -32_002, message: 'Unknown' } })
    const session = home('a')
    expect((await subscribe(session, 'file:///x')).kind).toBe('error')
    expect(notified(session, 'file:///x')).toEqual([])
  })

  it('notifies a subscriber from its request on: the first update may come with the answer', async () => {
    const { home, subscribe, notified, backend } = setUp()
    const session = home('a')
    const answers = ['complete', 'error'] as const
    for (const kind of answers) {
      let early: readonly string[] = []
      backend.behaviour.call = () => {
        early = notified(session, `file:///${kind}/part`)
        return kind === 'complete' ? complete : { kind, error: { code: -32_002, message: 'Unknown' } }
      }
      await subscribe(session, `file:///${kind}`)
      expect(early).toEqual(['a'])
    }
    expect(answers.map((kind) => notified(session, `file:///${kind}`))).toEqual([['a'], []])
  })

  it('keeps no URI of any length: a session may have many', async () => {
    const { home, subscribe, asked } = setUp()
    const session = home('a')
    const longest = `file:///${'x'.repeat(8_184)}`
    expect(await subscribe(session, longest)).toMatchObject({ kind: 'complete' })
    expect(await subscribe(session, `${longest}x`)).toMatchObject({ kind: 'error', error: { code: -32_602 } })
    expect([session.subscriptions, asked()]).toEqual([1, [`subscribe ${longest}`]])
  })

  it('has a limit for each session, which does not affect others', async () => {
    const { home, subscribe, unsubscribe } = setUp()
    const [a, b] = [home('a'), home('b')]
    for (let n = 0; n < 1_000; n += 1) await subscribe(a, `file:///${n}`)
    expect(await subscribe(a, 'file:///more')).toMatchObject({ error: { data: expect.anything() } })
    expect((await subscribe(a, 'file:///0')).kind).toBe('complete')
    expect((await subscribe(b, 'file:///more')).kind).toBe('complete')
    await unsubscribe(a, 'file:///0')
    expect((await subscribe(a, 'file:///more')).kind).toBe('complete')
  })

  it('has this limit also for subscriptions that come together', async () => {
    const { home, subscribe } = setUp()
    const session = home('a')
    const all = await Promise.all(Array.from({ length: 1_010 }, (_, n) => subscribe(session, `file:///${n}`)))
    expect([all.filter(({ kind }) => kind === 'error').length, session.subscriptions]).toEqual([10, 1_000])
    expect((await subscribe(session, 'file:///more')).kind).toBe('error')
  })

  it.each(['unsubscribes', 'ends'])('keeps the subscription of a session that comes while another %s', async (how) => {
    const { home, subscribe, unsubscribe, subscriptions, asked, backend } = setUp()
    const [a, b] = [home('a'), home('b')]
    await subscribe(a, 'file:///x')
    const gate = Promise.withResolvers<void>()
    backend.behaviour.call = async ({ method }) => {
      // It may have come after the request of the other session, although that was sent later.
      if (method === 'resources/unsubscribe') await gate.promise
      return { kind: 'complete', result: payloadOf({}) }
    }
    const leaving = how === 'ends' ? subscriptions.end(a) : unsubscribe(a, 'file:///x')
    await subscribe(b, 'file:///x')
    gate.resolve()
    await leaving
    await eventually(() => expect(asked().slice(3)).toEqual(['subscribe file:///x']))
  })

  it('ends without the backend when its link is gone: that has no subscriptions', async () => {
    const { home, subscribe, unsubscribe, asked, backend, notified } = setUp()
    const session = home('a')
    await subscribe(session, 'file:///x')
    session.slot(backend.entry).link = undefined
    backend.behaviour.opening = () => Promise.reject(new Error('gone'))
    expect(await unsubscribe(session, 'file:///x')).toBe(emptyOutcome)
    expect([asked(), backend.links.length, notified(session, 'file:///x')]).toEqual([['subscribe file:///x'], 1, []])
  })

  it('subscribes a link to the resources of the link that it replaces', async () => {
    const { home, subscribe, links, backend, asked } = setUp()
    const session = home('a')
    await subscribe(session, 'file:///x')
    await subscribe(session, 'file:///y')
    await links.restore(session.slot(backend.entry), backend.links[0] as Link)
    expect(asked().slice(2)).toEqual(['subscribe file:///x', 'subscribe file:///y'])
  })

  it('restores what is wanted when the link is ready: sessions come and leave meanwhile', async () => {
    const { home, subscribe, subscriptions, links, backend, asked } = setUp()
    const [a, b] = [home('a'), home('b')]
    await subscribe(a, 'file:///x')
    const slot = a.slot(backend.entry)
    slot.link = undefined
    backend.behaviour.call = () => {
      if (asked().length === 2) {
        subscriptions.end(a)
        addSubscriber(slot, 'file:///y', b)
      }
      return complete
    }
    await links.restore(slot, backend.links[0] as Link)
    expect(asked().slice(1)).toEqual(['subscribe file:///x', 'subscribe file:///y', 'unsubscribe file:///x'])
  })

  it('removes the subscriptions of a session on a shared link, and no others', async () => {
    const { home, subscribe, subscriptions, asked, notified } = setUp()
    const [a, b] = [home('a'), home('b')]
    await subscribe(a, 'file:///own')
    await subscribe(a, 'file:///both')
    await subscribe(b, 'file:///both')
    subscriptions.end(a)
    expect(asked().slice(2)).toEqual(['unsubscribe file:///own'])
    expect([notified(b, 'file:///own'), notified(b, 'file:///both')]).toEqual([[], ['b']])
  })
})
