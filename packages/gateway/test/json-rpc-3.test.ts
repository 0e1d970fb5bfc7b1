import { describe, expect, it, vi } from 'vitest'
import type { Exchange } from '@junctor/exchange'
import type { Front, Session } from '@junctor/contracts'
import { type Payload, payloadOf } from '@junctor/jsonrpc'
import type { GatewayLimits } from '../src/index.ts'
import { connect, post, Seen, three } from './support/json-client.ts'
import { createTestBackend, type TestBackend } from './support/test-backend.ts'
import { identityOf, startNodes, tenantOf } from './support/test-nodes.ts'

/** This many nodes, each with its own backend. */
async function start(count = 1, limits: Partial<GatewayLimits> = {}) {
  const backends = Array.from({ length: count }, () => createTestBackend())
  for (const { behaviour } of backends) {
    behaviour.call = ({ method }) => ({ kind: 'complete', result: payloadOf({ method }) })
  }
  const nodes = await startNodes(
    backends.map(({ entry }) => [tenantOf([entry])]),
    limits,
  )
  const [one, two] = nodes.gateways.map(({ front }) => front) as [Front, Front]
  return { one, two, backends, backend: backends[0] as TestBackend }
}

const ada = identityOf('ada')
const call = three({ method: 'tools/call', params: { name: 'one__echo' }, id: 1 })

describe('a request of JSON-RPC 3.0 without a session, over HTTP', () => {
  it('is served, in its own version', async () => {
    const { one } = await start()
    const plain = post(one, ada, undefined, call)
    expect(await plain.seen.whole()).toEqual([three({ id: 1, result: { method: 'tools/call' } })])
    expect(plain.origin).toMatchObject({ session: undefined, dialect: '3.0' })
    const streamed = post(one, ada, undefined, { ...call, options: { stream: true } })
    expect(await streamed.seen.whole()).toEqual([three({ stream: { id: 1 }, result: { method: 'tools/call' } })])
  })

  it('has no state: methods that need a session are refused', async () => {
    const { one } = await start()
    for (const options of [{}, { stream: true }]) {
      const request = three({ method: 'logging/setLevel', params: { level: 'debug' }, id: 'a', options })
      const [answer] = await post(one, ada, undefined, request).seen.whole()
      expect(answer).toMatchObject({
        error: { code: -32_012, title: expect.any(String), data: { reason: 'session_missing' } },
      })
      expect(answer).toMatchObject('stream' in options ? { stream: { id: 'a' } } : { id: 'a' })
    }
  })

  it('is answered directly, because it has no stream for a later answer', async () => {
    const { one } = await start()
    const answers = await post(one, ada, undefined, call, true).seen.whole()
    expect(answers).toEqual([three({ id: 1, result: { method: 'tools/call' } })])
  })

  it('is refused as before in JSON-RPC 2.0', async () => {
    const { one } = await start()
    const [answer] = await post(one, ada, undefined, { ...call, jsonrpc: '2.0' }).seen.whole()
    expect(answer).toMatchObject({ jsonrpc: '2.0', error: { data: { reason: 'session_missing' } } })
  })

  it('never uses a link that another principal has used', async () => {
    const { one, backend } = await start()
    for (const subject of ['ada', 'bob', 'ada', 'bob']) {
      await post(one, identityOf(subject), undefined, call).seen.whole()
    }
    const users = backend.links.filter(({ requests }) => requests.length > 0).map(({ scope }) => scope.principal)
    expect(users).toEqual(['local ada', 'local bob'])
    expect(backend.links.map(({ requests }) => requests.length).filter((count) => count > 0)).toEqual([2, 2])
  })

  it('gets its link again when more principals have called than are remembered', async () => {
    const { one, backend } = await start(1, { sessions: 2 })
    for (const subject of ['ada', 'bob', 'eve', 'ada']) {
      await post(one, identityOf(subject), undefined, call).seen.whole()
    }
    const users = backend.links.filter(({ requests }) => requests.length > 0).map(({ scope }) => scope.principal)
    expect(users).toEqual(['local ada', 'local bob', 'local eve'])
  })
})

describe('a client of JSON-RPC 3.0 that disconnects', () => {
  it('without a session ends its request, because no client could get the result', async () => {
    const { one, backend } = await start()
    const running = Promise.withResolvers<Exchange>()
    backend.behaviour.call = (_, exchange) => (running.resolve(exchange), new Promise(() => {}))
    const request = post(one, ada, undefined, call)
    const exchange = await running.promise
    expect(exchange.ended).toBeUndefined()
    request.lose()
    expect(exchange.ended).toBe('disconnected')
    expect(request.seen.all).toEqual([])
  })

  it('in a session does not', async () => {
    const { one, backend } = await start()
    const running = Promise.withResolvers<Exchange>()
    backend.behaviour.call = (_, exchange) => (running.resolve(exchange), new Promise(() => {}))
    const { origin } = post(one, ada, undefined, three({ method: 'rpc.extensions', params: {}, id: 0 }))
    const request = post(one, ada, origin.session, call)
    const exchange = await running.promise
    request.lose()
    expect(exchange.ended).toBeUndefined()
  })

  it('in a session ends a stream that cannot be resumed, because its producer would go on without a reader', async () => {
    const { one, backend } = await start()
    const running = Promise.withResolvers<Exchange>()
    backend.behaviour.call = (_, exchange) => (running.resolve(exchange), new Promise(() => {}))
    const { origin } = post(one, ada, undefined, three({ method: 'rpc.extensions', params: {}, id: 0 }))
    const request = post(one, ada, origin.session, { ...call, options: { stream: true } }, false, false)
    const exchange = await running.promise
    await exchange.chunk('one')
    request.lose()
    expect(exchange.ended).toBe('disconnected')
  })
})

describe('a connection of JSON-RPC 3.0', () => {
  it.each(['stdio', 'websocket', 'nats'] as const)('is a session from its first request on: %s', async (transport) => {
    const { one, backend } = await start()
    const { say, seen } = connect(one, ada, transport)
    say(call, three({ method: 'logging/setLevel', params: { level: 'debug' }, id: 2 }))
    expect(await seen.until(({ id }) => id === 1)).toEqual(three({ id: 1, result: { method: 'tools/call' } }))
    expect(await seen.until(({ id }) => id === 2)).toEqual(three({ id: 2, result: {} }))
    const [link] = backend.open
    expect(link?.scope.session).toEqual(expect.any(String))
    expect(link?.client.context).toMatchObject({ revision: '2025-11-25', client: { info: {}, capabilities: {} } })
  })

  it('has one session, known to other nodes', async () => {
    const { one, two, backends } = await start(2)
    const opened = vi.spyOn(one, 'resume')
    const { say, seen } = connect(one, ada)
    say(call, { ...call, id: 2 })
    await seen.until(({ id }) => id === 2)
    expect(opened).toHaveBeenCalledOnce()
    const [session] = opened.mock.calls[0] ?? []
    const there = await two.session(session?.id ?? '', ada)
    expect(await post(two, ada, there, { ...call, id: 3 }).seen.whole()).toMatchObject([{ id: 3, result: {} }])
    expect(backends.map(({ links }) => links.length)).toEqual([1, 0])
    expect(await two.session(session?.id ?? '', identityOf('bob'))).toBeUndefined()
  })

  it('answers a ping without opening a session, so that `initialize` may follow', async () => {
    const { one } = await start()
    const { say, seen } = connect(one, ada)
    say(three({ method: 'ping', id: 'p' }))
    expect(seen.all).toEqual([three({ id: 'p', result: {} })])
    say(three({ method: 'initialize', params: { protocolVersion: '2025-06-18' }, id: 0 }))
    expect(await seen.until(({ id }) => id === 0)).toMatchObject({ result: { protocolVersion: '2025-06-18' } })
  })

  it('is refused beyond the limit of sessions, in its message format', async () => {
    const { one } = await start(1, { sessions: 1 })
    connect(one, ada).say(call)
    const { say, seen } = connect(one, ada)
    say({ ...call, options: { stream: true } })
    expect(seen.all).toMatchObject([{ jsonrpc: '3.0', stream: { id: 1 }, error: { data: { reason: 'overloaded' } } }])
  })

  it('ends with its connection', async () => {
    const { one, backend } = await start()
    const { say, seen, connection } = connect(one, ada)
    say(call)
    await seen.until(({ id }) => id === 1)
    await connection.end('disconnected')
    expect(backend.open).toEqual([])
  })
})

describe('a message to a session outside its requests', () => {
  it('has the version of the client’s last message', async () => {
    const { one, backend } = await start()
    const { say, seen } = connect(one, ada)
    const changed = async (jsonrpc: string): Promise<void> => {
      seen.all.length = 0
      const [link] = backend.open
      link?.client.notify({ method: 'notifications/tools/list_changed', params: undefined })
      expect(await seen.until(() => true)).toEqual({ jsonrpc, method: 'notifications/tools/list_changed' })
    }
    say(call)
    await seen.until(({ id }) => id === 1)
    await changed('3.0')
    say({ ...call, jsonrpc: '2.0', id: 2 })
    await seen.until(({ id }) => id === 2)
    await changed('2.0')
    say(three({ method: 'notifications/mine' }))
    await changed('3.0')
    say('nonsense')
    expect(seen.all.at(-1)).toMatchObject({ jsonrpc: '3.0', id: null, error: { code: -32_700 } })
    say('{"jsonrpc":"2.0","method":"notifications/mine"}', 'nonsense')
    expect(seen.all.at(-1)).toMatchObject({ jsonrpc: '2.0', error: { code: -32_700 } })
    await changed('2.0')
  })

  it('has that version also when the last message came to another node', async () => {
    const { one, two, backend } = await start(2)
    const opening = { jsonrpc: '2.0', method: 'initialize', params: { protocolVersion: '2025-11-25' }, id: 0 }
    const { origin, seen: opened } = post(one, ada, undefined, opening)
    await opened.whole()
    const stream = new Seen()
    const sink = { owner: undefined, resumable: true, open() {}, send: (text: string) => (stream.add(text), undefined) }
    one.resume(origin.session as Session, undefined, sink)
    const there = await two.session(origin.session?.id ?? '', ada)
    await post(two, ada, there, call).seen.whole()
    backend.open[0]?.client.notify({ method: 'notifications/tools/list_changed', params: undefined })
    expect(await stream.until(() => true)).toMatchObject({ jsonrpc: '3.0' })
  })

  it('has an error in that version when another node refuses a stream, also as its first request of the session', async () => {
    const { one, two } = await start(2)
    const params = { protocolVersion: '2025-11-25' }
    for (const jsonrpc of ['3.0', '2.0']) {
      const { origin, seen: opened } = post(one, ada, undefined, { jsonrpc, method: 'initialize', params, id: 0 })
      await opened.whole()
      const there = (await two.session(origin.session?.id ?? '', ada)) as Session
      const refused = async (event: string) => {
        const seen = new Seen()
        two.resume(there, event, {
          owner: undefined,
          resumable: true,
          open() {},
          send: (text) => (seen.add(text), undefined),
        })
        return (await seen.until(() => true))['jsonrpc']
      }
      const own = `${(origin.session as { home?: string }).home}-unknown-1`
      expect([await refused('foreign'), await refused(own)]).toEqual([jsonrpc, jsonrpc])
      const { text } = two.refuse('not_acceptable', { identity: ada, session: there })
      expect(JSON.parse(text)).toMatchObject({ jsonrpc })
      // The version of the last message, as at the home.
      const other = jsonrpc === '3.0' ? '2.0' : '3.0'
      await post(two, ada, there, { jsonrpc: other, id: 1, method: 'ping' }).seen.whole()
      expect(await refused('foreign')).toBe(other)
    }
  })

  it('may be a question, whose answer comes in JSON-RPC 3.0', async () => {
    const { one, backend } = await start()
    const { say, seen } = connect(one, ada)
    const capabilities = { roots: {} }
    say(three({ method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities }, id: 0 }))
    await seen.until(({ id }) => id === 0)
    say(call)
    await seen.until(({ id }) => id === 1)
    const own = backend.open.find(({ scope }) => scope.session !== undefined)
    const answer = own?.client.ask({ method: 'roots/list', params: undefined })
    const asked = await seen.until(({ method }) => method === 'roots/list')
    expect(asked).toMatchObject({ jsonrpc: '3.0', id: expect.any(Number) })
    say(three({ id: asked['id'], result: { roots: [] } }))
    const answered = (await answer) as { result: Payload }
    expect(answered.result.value()).toEqual({ roots: [] })
  })
})
