import { describe, expect, it } from 'vitest'
import type { Front } from '@junctor/contracts'
import { type JsonValue, payloadOf } from '@junctor/jsonrpc'
import { createBackend, createResource, createTool, type LocalBackend } from '@junctor/plugin-sdk'
import { backendDefaults, type BackendEntry, type Gateway, type GatewayLimits } from '../src/index.ts'
import { eventually } from '@junctor/testkit'
import { createTestBackend } from './support/test-backend.ts'
import { openClient } from './support/test-client.ts'
import { identityOf, startNodes, tenantOf } from './support/test-nodes.ts'

const inputSchema = { type: 'object' } as const

/** Controls and observes the backend in this process. */
interface Local {
  readonly backend: LocalBackend
  readonly entry: BackendEntry
  /** Resolves when `slow` runs, and when its signal has aborted. */
  readonly started: Promise<void>
  readonly aborted: Promise<unknown>
  /** Lets `slow` answer. */
  finish(): void
}

function createLocal(): Local {
  const started = Promise.withResolvers<void>()
  const aborted = Promise.withResolvers<unknown>()
  const finish = Promise.withResolvers<void>()
  const tools = [
    createTool({
      metadata: { name: 'echo', description: 'Says it back', inputSchema },
      handler: ({ text }) => JSON.stringify(text),
    }),
    createTool({
      metadata: { name: 'slow', description: 'Waits', inputSchema },
      async handler(_, { signal, exchange }) {
        signal.addEventListener('abort', () => aborted.resolve(signal.reason))
        exchange.notify({ method: 'notifications/message', params: payloadOf({ level: 'info', data: 'started' }) })
        started.resolve()
        await finish.promise
        return 'done'
      },
    }),
    createTool({
      metadata: { name: 'roots', description: 'Asks for roots', inputSchema },
      handler: async (_, context) => JSON.stringify(await context.roots()),
    }),
  ]
  const resources = [createResource({ name: 'note', uri: 'note:///a', read: () => 'text', subscribe: () => () => {} })]
  const backend = createBackend({ name: 'local', tools, resources })
  return {
    backend,
    entry: { ...backendDefaults, backend, prefix: 'local' },
    started: started.promise,
    aborted: aborted.promise,
    finish: () => finish.resolve(),
  }
}

/** This many nodes with the same backends, as in a cluster. */
async function start(count: number, entries: (local: Local) => BackendEntry[], limits: Partial<GatewayLimits> = {}) {
  const locals = Array.from({ length: count }, createLocal)
  const nodes = await startNodes(
    locals.map((local) => [tenantOf(entries(local))]),
    limits,
  )
  const [one, two] = nodes.gateways as [Gateway, Gateway]
  return { nodes, one, two, local: locals[0] as Local, bus: nodes.bus }
}

const call = (name: string, args: JsonValue = {}): JsonValue => ({ name, arguments: args })

describe('a gateway on one node', () => {
  it('answers initialize, lists and calls in public names', async () => {
    const { one } = await start(1, ({ entry }) => [entry])
    const client = await openClient(one.front, identityOf())
    expect(client.opened.result).toMatchObject({
      protocolVersion: '2025-11-25',
      serverInfo: { name: 'gateway', version: '1' },
      capabilities: { tools: { listChanged: true } },
    })
    const list = await client.request('tools/list').answer()
    expect(list.result?.['tools']).toMatchObject([{ name: 'local__echo' }, { name: 'local__slow' }, {}])
    const answer = await client.request('tools/call', call('local__echo', { text: 'hi' })).answer()
    expect(answer.result).toMatchObject({ content: [{ type: 'text', text: '"hi"' }] })
  })

  it.each([
    ['an unknown tool', 'tools/call', call('local__nothing'), -32_602],
    ['a tool without a name', 'tools/call', {}, -32_602],
    ['an unknown method', 'tools/paint', {}, -32_601],
    ['an unknown resource', 'resources/read', { uri: 'nowhere:///x' }, -32_002],
    ['an unknown cursor', 'tools/list', { cursor: 'abc' }, -32_602],
    ['an unknown level', 'logging/setLevel', { level: 'loud' }, -32_602],
  ])('refuses %s', async (_, method, params, code) => {
    const { one } = await start(1, ({ entry }) => [entry])
    const client = await openClient(one.front, identityOf())
    expect(await client.request(method, params).answer()).toMatchObject({ error: { code } })
  })

  it('sends a question to the client and its answer back', async () => {
    const { one } = await start(1, ({ entry }) => [entry])
    const client = await openClient(one.front, identityOf())
    const round = client.request('tools/call', call('local__roots'))
    const question = await round.until(({ method }) => method === 'roots/list')
    client.respond(String(question.id), { roots: [{ uri: 'file:///home' }] })
    expect((await round.answer()).result).toMatchObject({ content: [{ text: '[{"uri":"file:///home"}]' }] })
  })

  it('accepts an answer only from the session that was asked', async () => {
    const { one } = await start(1, ({ entry }) => [entry])
    const asked = await openClient(one.front, identityOf())
    const other = await openClient(one.front, identityOf())
    const round = asked.request('tools/call', call('local__roots'))
    const question = await round.until(({ method }) => method === 'roots/list')
    other.respond(String(question.id), { roots: [{ uri: 'file:///evil' }] })
    asked.respond(String(question.id), { roots: [] })
    expect((await round.answer()).result).toMatchObject({ content: [{ text: '[]' }] })
  })

  it('finds a session only for the principal that opened it', async () => {
    const { one } = await start(1, ({ entry }) => [entry])
    const { session } = await openClient(one.front, identityOf('ada'))
    expect(await one.front.session(session.id, identityOf('ada'))).toBe(session)
    expect(await one.front.session(session.id, identityOf('bob'))).toBeUndefined()
    expect(await one.front.session(session.id, identityOf('ada', 'other'))).toBeUndefined()
    expect(await one.front.session('s_unknown', identityOf('ada'))).toBeUndefined()
  })

  it('refuses what a transport could not read in the revision that the request names', async () => {
    const { one } = await start(1, ({ entry }) => [entry])
    const revision = '2026-07-28'
    const { text } = one.front.refuse('not_acceptable', { identity: identityOf(), session: undefined, revision })
    expect(JSON.parse(text)).toMatchObject({ error: { code: 406 } })
    expect(JSON.parse(text)).not.toHaveProperty('id')
  })

  it('refuses an id that is in flight, and more requests than a session may have', async () => {
    const { one, local } = await start(1, ({ entry }) => [entry], { inFlight: 1 })
    const client = await openClient(one.front, identityOf())
    const slow = client.request('tools/call', call('local__slow'), 'same')
    await local.started
    const twice = await client.request('ping', {}, 'same').answer()
    expect(twice.error?.data).toMatchObject({ reason: 'duplicate_id' })
    const more = await client.request('ping', {}, 'another').answer()
    expect(more.error?.data).toMatchObject({ reason: 'overloaded' })
    local.finish()
    expect((await slow.answer()).result).toMatchObject({ content: [{ text: 'done' }] })
    expect((await client.request('ping', {}, 'same').answer()).result).toEqual({})
  })

  it('refuses more sessions than it may have', async () => {
    const { one } = await start(1, ({ entry }) => [entry], { sessions: 1 })
    const { session } = await openClient(one.front, identityOf())
    await expect(openClient(one.front, identityOf())).rejects.toThrow('overloaded')
    await one.front.end(session, 'session_ended')
    expect((await openClient(one.front, identityOf())).opened.result).toBeDefined()
  })

  it('ends the requests, the stream and the links of a session that ends', async () => {
    const test = createTestBackend({ prefix: 'test' }, { name: 'test' })
    const { one, local } = await start(1, ({ entry }) => [entry, test.entry])
    const client = await openClient(one.front, identityOf())
    const stream = client.resume()
    // Loading lists also opens a link.
    await client.request('tools/list').answer()
    await client.request('tools/call', call('test__echo')).answer()
    const own = test.links.filter(({ scope }) => scope.session === client.session.id)
    expect(own.map(({ open }) => open)).toEqual([true])
    const slow = client.request('tools/call', call('local__slow'))
    await local.started
    await one.front.end(client.session, 'session_ended')
    expect((await slow.answer()).error?.data).toMatchObject({ reason: 'backend_exited' })
    expect(await local.aborted).toBe('session_ended')
    await stream.answer()
    await Promise.all(own.map(({ closed }) => closed))
    expect(await one.front.session(client.session.id, identityOf())).toBeUndefined()
  })

  it('notifies clients of a backend that started too late for their first list', async () => {
    const slow = createTestBackend({ prefix: 'slow' }, { name: 'slow' })
    const opening = Promise.withResolvers<void>()
    slow.behaviour.opening = () => opening.promise
    const nodes = await startNodes([[tenantOf([slow.entry])]], { startWaitMs: 20 })
    try {
      const client = await openClient((nodes.gateways[0] as Gateway).front, identityOf())
      const stream = client.resume()
      expect((await client.request('tools/list').answer()).result).toEqual({ tools: [] })
      opening.resolve()
      await stream.until(({ method }) => method === 'notifications/tools/list_changed')
      expect((await client.request('tools/list').answer()).result).toMatchObject({ tools: [{ name: 'slow__echo' }] })
    } finally {
      await nodes.close()
    }
  })

  it('notifies clients when a backend breaks and stays down, and when it is back', async () => {
    const test = createTestBackend({ prefix: 'test', isolation: 'shared' }, { name: 'test', correlates: false })
    const { one } = await start(1, ({ entry }) => [entry, test.entry])
    const client = await openClient(one.front, identityOf())
    const stream = client.resume()
    const names = async () => {
      const list = await client.request('tools/list').answer()
      const { tools } = list.result as { tools: { name: string }[] }
      return tools.map(({ name }) => name)
    }
    expect(await names()).toContain('test__echo')
    test.behaviour.opening = () => Promise.reject(new Error('refused'))
    for (const link of test.open) link.break()
    await Promise.all(test.links.map(({ closed }) => closed))
    const changed = () => stream.until(({ method }) => method === 'notifications/tools/list_changed')
    const failed = await client.request('tools/call', call('test__echo')).answer()
    expect(failed.error?.data).toMatchObject({ reason: 'backend_unavailable', retryAfterMs: expect.any(Number) })
    await changed()
    expect(await names()).not.toContain('test__echo')
    stream.seen.length = 0
    test.behaviour.opening = async () => {}
    await changed()
    expect(await names()).toContain('test__echo')
  })

  it('sends the update of a resource only to sessions that subscribed to it', async () => {
    const { one, local } = await start(1, ({ entry }) => [entry])
    const subscribed = await openClient(one.front, identityOf())
    const other = await openClient(one.front, identityOf())
    const [updates, others] = [subscribed.resume(), other.resume()]
    await subscribed.request('resources/subscribe', { uri: 'local+note:///a' }).answer()
    local.backend.updated('note:///a')
    const update = await updates.until(({ method }) => method === 'notifications/resources/updated')
    expect(update.params).toEqual({ uri: 'local+note:///a' })
    expect(others.seen).toEqual([])
  })

  it('cleans up when it closes: requests end, links close, the fabric has no calls', async () => {
    const test = createTestBackend({ prefix: 'test' }, { name: 'test' })
    const { one, local, nodes, bus } = await start(1, ({ entry }) => [entry, test.entry])
    const client = await openClient(one.front, identityOf())
    await client.request('tools/call', call('test__echo')).answer()
    const slow = client.request('tools/call', call('local__slow'))
    await local.started
    await nodes.close()
    expect((await slow.answer()).error?.data).toMatchObject({ reason: 'outcome_unknown' })
    expect([test.open, bus.calls.size, bus.members.size]).toEqual([[], 0, 0])
  })
})

describe('gateways on two nodes', () => {
  const both = async () => {
    const cluster = await start(2, ({ entry }) => [entry])
    const client = await openClient(cluster.one.front, identityOf())
    return { ...cluster, client, away: await client.at(cluster.two.front) }
  }

  it('serve one session from both, through the links on its home node', async () => {
    const { away, local } = await both()
    const round = away.request('tools/call', call('local__slow'))
    await local.started
    local.finish()
    expect((await round.answer()).result).toMatchObject({ content: [{ text: 'done' }] })
  })

  it('find a session only for the principal that opened it', async () => {
    const { client, two } = await both()
    const { id } = client.session
    const unknown = async (front: Front, subject: string, tenant: string) =>
      expect(await front.session(id, identityOf(subject, tenant))).toBeUndefined()
    await unknown(two.front, 'bob', 'default')
    await unknown(two.front, 'ada', 'other')
  })

  it('cancel a request that is open on the other node', async () => {
    const { client, away, local } = await both()
    const round = client.request('tools/call', call('local__slow'), 'to-cancel')
    await local.started
    away.notify('notifications/cancelled', { requestId: 'to-cancel' })
    expect(await local.aborted).toBe('cancelled')
    await round.answer()
    expect(round.seen.filter(({ id }) => id === 'to-cancel')).toEqual([])
  })

  it('accept an answer to a question of the other node', async () => {
    const { client, away } = await both()
    const round = client.request('tools/call', call('local__roots'))
    const question = await round.until(({ method }) => method === 'roots/list')
    away.respond(String(question.id), { roots: [] })
    expect((await round.answer()).result).toMatchObject({ content: [{ text: '[]' }] })
  })

  it('let a client resume on one node a stream that the other keeps, from where it was cut', async () => {
    const { client, away, local } = await both()
    const lost = client.request('tools/call', call('local__slow'))
    await lost.until(({ method }) => method === 'notifications/message')
    const [priming] = lost.eventIds
    lost.owner?.lost()
    const resumed = away.resume(priming)
    await resumed.until(({ method }) => method === 'notifications/message')
    local.finish()
    expect((await resumed.answer()).result).toMatchObject({ content: [{ text: 'done' }] })
  })

  it('let no client resume a stream of another session', async () => {
    const { client, one, two, local } = await both()
    const round = client.request('tools/call', call('local__slow'))
    await round.until(({ method }) => method === 'notifications/message')
    const thief = await openClient(one.front, identityOf())
    const [priming] = round.eventIds
    for (const place of [thief, await thief.at(two.front)]) {
      const stolen = place.resume(priming)
      expect((await stolen.answer()).error?.message).toContain('Unknown event id')
      expect(stolen.seen).toHaveLength(1)
    }
    local.finish()
    await round.answer()
  })

  it('answer a resume of a session that has just ended like every other request of that session', async () => {
    const { client, away, one, local } = await both()
    const round = client.request('tools/call', call('local__slow'))
    await round.until(({ method }) => method === 'notifications/message')
    const [priming] = round.eventIds
    await one.front.end(client.session, 'session_ended')
    for (const place of [client, away]) {
      for (const after of [priming, undefined]) {
        const { error } = await place.resume(after).answer()
        expect(error).toMatchObject({ code: -32001, data: { reason: 'session_unknown' } })
      }
    }
    local.finish()
  })

  it('end a session everywhere, on either node', async () => {
    const { client, away, one, two, local } = await both()
    const slow = client.request('tools/call', call('local__slow'))
    await local.started
    await two.front.end(away.session, 'session_ended')
    expect((await slow.answer()).error?.data).toMatchObject({ reason: 'backend_exited' })
    for (const { front } of [one, two]) {
      expect(await front.session(client.session.id, identityOf())).toBeUndefined()
    }
  })

  it.each([
    { sent: 'home', ended: 'home' },
    { sent: 'home', ended: 'away' },
    { sent: 'away', ended: 'home' },
    { sent: 'away', ended: 'away' },
  ] as const)('tell a request at the node $sent that its session was ended at the node $ended', async (at) => {
    const { client, away, one, two, local } = await both()
    const slow = (at.sent === 'home' ? client : away).request('tools/call', call('local__slow'))
    await local.started
    if (at.ended === 'home') await one.front.end(client.session, 'session_ended')
    else await two.front.end(away.session, 'session_ended')
    const { error } = await slow.answer()
    expect(error?.message).toBe('The session ended before the request was answered: whether it took effect is unknown')
    expect(error?.data).toMatchObject({ reason: 'backend_exited' })
  })

  it('end the requests of a session on one node when the other, its home, closes', async () => {
    const { one, away, local } = await both()
    const slow = away.request('tools/call', call('local__slow'))
    await local.started
    await one.close()
    expect((await slow.answer()).error).toBeDefined()
  })

  it('forget a session whose home node was killed, so that its client opens another', async () => {
    const { nodes, client, away, two, local } = await both()
    const slow = away.request('tools/call', call('local__slow'))
    await local.started
    const reading = away.resume()
    await nodes.leave(0)
    expect((await slow.answer()).error?.data).toMatchObject({ reason: 'outcome_unknown' })
    await reading.answer()
    await eventually(async () => expect(await two.front.session(client.session.id, identityOf())).toBeUndefined())
  })

  it('end the requests of visiting sessions on a node that closes', async () => {
    const { two, away, local } = await both()
    const slow = away.request('tools/call', call('local__slow'))
    await local.started
    await two.close()
    expect((await slow.answer()).error?.data).toMatchObject({ reason: 'outcome_unknown' })
  })
})
