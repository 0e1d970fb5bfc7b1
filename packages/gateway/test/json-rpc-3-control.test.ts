import { describe, expect, it } from 'vitest'
import type { Exchange } from '@junctor/exchange'
import type { Front, Session } from '@junctor/contracts'
import { type JsonObject, payloadOf } from '@junctor/jsonrpc'
import { connect, post, three } from './support/json-client.ts'
import { createTestBackend, type TestBackend } from './support/test-backend.ts'
import { identityOf, startNodes, tenantOf } from './support/test-nodes.ts'

const ada = identityOf('ada')
const call = three({ method: 'tools/call', params: { name: 'one__echo' }, id: 1 })

/** Two nodes, each with its own backend whose calls run until they are ended. */
async function start() {
  const backends = [createTestBackend(), createTestBackend()]
  const running: Exchange[] = []
  for (const { behaviour } of backends) {
    behaviour.call = (_, exchange) => (running.push(exchange), new Promise(() => {}))
  }
  const nodes = await startNodes(backends.map(({ entry }) => [tenantOf([entry])]))
  const [one, two] = nodes.gateways.map(({ front }) => front) as [Front, Front]
  return { one, two, backends, backend: backends[0] as TestBackend, running }
}

/** A session of JSON-RPC 3.0 over HTTP, as both nodes serve it. */
async function open(one: Front, two: Front, extensions: readonly string[]) {
  const { origin, seen } = post(one, ada, undefined, three({ method: 'rpc.extensions', params: { extensions }, id: 0 }))
  await seen.whole()
  const home = origin.session as Session
  const visiting = (await two.session(home.id, ada)) as Session
  return { home, visiting }
}

describe('rpc.extensions', () => {
  it.each<[JsonObject['params'], readonly string[]]>([
    [{ extensions: ['abort', 'telepathy', 'progress'] }, ['progress', 'abort']],
    [['async'], ['async']],
    [{ extensions: [7, null] }, []],
    [{}, []],
    [undefined, []],
  ])('with %j agrees on %j', async (params, agreed) => {
    const { one } = await start()
    const { say, seen } = connect(one, ada)
    say(three({ method: 'rpc.extensions', id: 1, ...(params !== undefined && { params }) }))
    expect(await seen.until(() => true)).toEqual(three({ id: 1, result: { extensions: agreed } }))
  })

  it('requires a list of names', async () => {
    const { one } = await start()
    const { say, seen } = connect(one, ada)
    say(three({ method: 'rpc.extensions', params: { extensions: 'abort' }, id: 1 }))
    expect(await seen.until(() => true)).toMatchObject({ jsonrpc: '3.0', error: { code: -32_602 } })
  })

  it('over HTTP opens a session that all nodes know, for its principal alone', async () => {
    const { one, two } = await start()
    const { home, visiting } = await open(one, two, ['abort'])
    expect(home.context).toMatchObject({ extensions: ['abort'], revision: '2025-11-25' })
    expect(visiting.context).toMatchObject({ extensions: ['abort'], session: home.id })
    expect(await two.session(home.id, identityOf('bob'))).toBeUndefined()
  })

  it('does not exist in JSON-RPC 2.0', async () => {
    const { one } = await start()
    const { say, seen } = connect(one, ada)
    say({ jsonrpc: '2.0', method: 'initialize', params: { protocolVersion: '2025-11-25' }, id: 0 })
    await seen.until(({ id }) => id === 0)
    say({ jsonrpc: '2.0', method: 'rpc.extensions', id: 1 })
    expect(await seen.until(({ id }) => id === 1)).toMatchObject({ error: { code: -32_601 } })
  })

  it('applies on both nodes: negotiated extensions are used, others are ignored', async () => {
    const { one, two, backends } = await start()
    for (const { behaviour } of backends) {
      behaviour.call = (_, exchange) => {
        exchange.progress({ progress: exchange.wantsProgress ? 1 : 0, total: 2 })
        return { kind: 'complete', result: payloadOf({}) }
      }
    }
    const { home, visiting } = await open(one, two, [])
    const ask = async (front: Front, session: Session, id: number): Promise<readonly JsonObject[]> =>
      post(front, ada, session, { ...call, id }).seen.whole()
    const negotiate = async (front: Front, session: Session, extensions: readonly string[]): Promise<void> => {
      await post(front, ada, session, three({ method: 'rpc.extensions', params: { extensions }, id: 0 })).seen.whole()
    }
    const ack = (id: number): JsonObject => three({ id, ack: { progress: 1, total: 2 } })
    const done = (id: number): JsonObject => three({ id, result: {} })

    expect(await ask(one, home, 1)).toEqual([done(1)])
    expect(await ask(two, visiting, 2)).toEqual([done(2)])
    await negotiate(one, home, ['progress'])
    expect(await ask(two, visiting, 3)).toEqual([ack(3), done(3)])
    expect(await ask(one, home, 4)).toEqual([ack(4), done(4)])
    await negotiate(two, visiting, [])
    expect(await ask(one, home, 5)).toEqual([done(5)])
    expect(await ask(two, visiting, 6)).toEqual([done(6)])
    await negotiate(two, visiting, ['progress'])
    expect(await ask(one, home, 7)).toEqual([ack(7), done(7)])
    expect(await ask(two, visiting, 8)).toEqual([ack(8), done(8)])
  })

  it('applies on a node that serves the session only later', async () => {
    const { one, two } = await start()
    const opened = post(one, ada, undefined, three({ method: 'rpc.extensions', params: ['progress'], id: 0 }))
    await opened.seen.whole()
    const { session } = opened.origin
    await post(one, ada, session, three({ method: 'rpc.extensions', params: ['abort'], id: 1 })).seen.whole()
    expect((await two.session(session?.id ?? '', ada))?.context.extensions).toEqual(['abort'])
  })
})

describe('request.cancel', () => {
  const forms: readonly (readonly [string, JsonObject])[] = [
    ['of section 4.2', { stream: true, id: 1 }],
    ['of section 11.4', { stream: 1, abort: true }],
    ['with the id alone', { id: 1 }],
  ]
  const cancelled = { code: -32_800, title: expect.any(String), message: expect.any(String) }

  it.each(forms)('as a request %s ends the call and is answered', async (_, params) => {
    const { one, running } = await start()
    const { say, seen } = connect(one, ada)
    say({ ...call, options: { stream: true } })
    await expect.poll(() => running.length).toBe(1)
    say(three({ method: 'request.cancel', params, id: 'c' }))
    expect(seen.all).toMatchObject([
      { stream: { id: 1 }, error: cancelled },
      { id: 'c', result: {} },
    ])
    expect(running[0]?.ended).toBe('cancelled')
  })

  it.each(forms)('as a notification %s ends the call', async (_, params) => {
    const { one, running } = await start()
    const { say, seen } = connect(one, ada)
    say(call)
    await expect.poll(() => running.length).toBe(1)
    say(three({ method: 'request.cancel', params }))
    expect(seen.all).toMatchObject([{ jsonrpc: '3.0', id: 1, error: cancelled }])
  })

  it('ends a call of JSON-RPC 2.0 without an answer', async () => {
    const { one, running } = await start()
    const { say, seen } = connect(one, ada)
    say({ jsonrpc: '2.0', method: 'initialize', params: { protocolVersion: '2025-11-25' }, id: 0 })
    await seen.until(({ id }) => id === 0)
    say({ ...call, jsonrpc: '2.0' })
    await expect.poll(() => running.length).toBe(1)
    say(three({ method: 'request.cancel', params: { id: 1 }, id: 2 }))
    expect(running[0]?.ended).toBe('cancelled')
    expect(seen.all).toMatchObject([{ id: 0 }, { id: 2, result: {} }])
  })

  it('reaches a call on the other node, from either', async () => {
    const { one, two, running } = await start()
    const { home, visiting } = await open(one, two, [])
    const here = post(one, ada, home, call)
    const there = post(two, ada, visiting, { ...call, id: 2 })
    await expect.poll(() => running.length).toBe(2)
    await post(two, ada, visiting, three({ method: 'request.cancel', params: { id: 1 }, id: 3 })).seen.whole()
    await post(one, ada, home, three({ method: 'request.cancel', params: { id: 2 }, id: 4 })).seen.whole()
    expect(await here.seen.whole()).toMatchObject([{ id: 1, error: cancelled }])
    expect(await there.seen.whole()).toMatchObject([{ id: 2, error: cancelled }])
    await expect.poll(() => running.map(({ ended }) => ended)).toEqual(['cancelled', 'cancelled'])
  })

  it('of an unknown request, or of another client, is answered and has no effect', async () => {
    const { one, running } = await start()
    const client = connect(one, ada)
    const other = connect(one, ada)
    client.say(call)
    await expect.poll(() => running.length).toBe(1)
    for (const params of [{ id: 1 }, { id: '1' }, { id: {} }, { stream: true }, [1], undefined]) {
      other.seen.all.length = 0
      other.say(three({ method: 'request.cancel', id: 9, ...(params !== undefined && { params }) }))
      expect(other.seen.all).toEqual([three({ id: 9, result: {} })])
    }
    client.say(three({ method: 'request.cancel', params: { id: '1' } }))
    const visit = post(one, ada, undefined, three({ method: 'request.cancel', params: { id: 1 }, id: null }))
    expect(await visit.seen.whole()).toEqual([three({ id: null, result: {} })])
    expect(running[0]?.ended).toBeUndefined()
    expect(client.seen.all).toEqual([])
  })

  it('of a request whose id is null', async () => {
    const { one, running } = await start()
    const { say, seen } = connect(one, ada)
    say({ ...call, id: null })
    await expect.poll(() => running.length).toBe(1)
    say(three({ method: 'request.cancel', params: { stream: true, id: null } }))
    expect(seen.all).toMatchObject([{ id: null, error: cancelled }])
  })
})

describe('an abort', () => {
  const abort = three({ options: { stream: 1, abort: true } })

  it('ends a stream where it was negotiated, from either node', async () => {
    const { one, two, running } = await start()
    const { home, visiting } = await open(one, two, ['abort'])
    const stream = post(one, ada, home, { ...call, options: { stream: true } })
    await expect.poll(() => running.length).toBe(1)
    post(two, ada, visiting, abort)
    expect(await stream.seen.whole()).toMatchObject([{ stream: { id: 1 }, error: { code: -32_800 } }])
    expect(running[0]?.ended).toBe('cancelled')
  })

  it('is ignored when it was not negotiated', async () => {
    const { one, two, running } = await start()
    const { home, visiting } = await open(one, two, ['progress'])
    const stream = post(one, ada, home, { ...call, options: { stream: true } })
    await expect.poll(() => running.length).toBe(1)
    post(one, ada, home, abort)
    post(two, ada, visiting, abort)
    await post(two, ada, visiting, three({ method: 'ping', id: 5 })).seen.whole()
    expect(running[0]?.ended).toBeUndefined()
    expect(stream.seen.all).toEqual([])
  })
})
