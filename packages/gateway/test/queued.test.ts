import { describe, expect, it } from 'vitest'
import type { Exchange, Outcome, Sink } from '@junctor/exchange'
import type { Front, Origin, Session } from '@junctor/contracts'
import { createMemoryFabric } from '@junctor/fabric'
import { type JsonObject, parseFrame, payloadOf } from '@junctor/jsonrpc'
import { mcpProfile, type Profile } from '@junctor/protocol'
import { eventually } from '@junctor/testkit'
import type { GatewayLimits } from '../src/index.ts'
import { post, Seen } from './support/json-client.ts'
import { createTestBackend } from './support/test-backend.ts'
import { openClient } from './support/test-client.ts'
import { identityOf, startNodes, tenantOf } from './support/test-nodes.ts'

const queuing: Profile = { ...mcpProfile, delivery: 'queued' }
const done: Outcome = { kind: 'complete', result: payloadOf({ content: [] }) }

/** Two nodes, and a client whose session has the first node as its home. */
async function start(profile: Profile = queuing, limits: Partial<GatewayLimits> = {}) {
  const backends = [createTestBackend(), createTestBackend()]
  const calls: string[] = []
  const doing: { call: (exchange: Exchange) => Outcome | Promise<Outcome> } = {
    call: () => done,
  }
  for (const { behaviour } of backends) {
    behaviour.call = (request, exchange) => {
      calls.push(request.method)
      return doing.call(exchange)
    }
  }
  const nodes = await startNodes(
    backends.map(({ entry }) => [tenantOf([entry], 'default', profile)]),
    limits,
  )
  const [one, two] = nodes.gateways.map(({ front }) => front) as [Front, Front]
  const ada = identityOf('ada', 'default', profile)
  const params = {
    protocolVersion: '2025-03-26',
    capabilities: { elicitation: {} },
    clientInfo: { name: 'test', version: '1' },
  }
  const { session } = await openClient(one, ada, params)
  const visiting = (await two.session(session.id, ada)) as Session
  return { nodes, one, two, ada, session, visiting, calls, doing }
}

/** The session's own stream. */
function streamOf(front: Front, session: Session): Seen {
  const seen = new Seen()
  const sink: Sink = {
    owner: undefined,
    resumable: true,
    open() {},
    send(text, last) {
      seen.ended = last
      seen.add(text)
      return undefined
    },
  }
  front.resume(session, undefined, sink)
  return seen
}

const call = (id: number, params: JsonObject = {}): JsonObject => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: 'one__echo', arguments: {}, ...params },
})
/** The same request with a key. Two with one text are repeats. */
const keyed = (id: number, text = 'a'): JsonObject => ({
  ...call(id, { arguments: { text } }),
  jsonrpc: '3.0',
  options: { idempotencyKey: 'once' },
})
const queued = { status: 'queued' }
const answer = (id: number): JsonObject => ({ jsonrpc: '2.0', id, result: { content: [] } })

describe('a queued request', () => {
  it('is accepted immediately, and answered on the stream, on either node', async () => {
    const { one, two, ada, session, visiting } = await start()
    const stream = streamOf(one, session)
    const posts = [post(one, ada, session, call(1)), post(two, ada, visiting, call(2))]
    for (const sent of posts) {
      expect(await sent.seen.whole()).toEqual([queued])
      expect(sent.statuses).toEqual([202])
    }
    expect(await stream.until(({ id }) => id === 1)).toEqual(answer(1))
    expect(await stream.until(({ id }) => id === 2)).toEqual(answer(2))
    expect(stream.all).toHaveLength(2)
  })

  it('is answered once on a stream that is opened later, on another node', async () => {
    const { one, two, ada, session, visiting, calls } = await start()
    await post(one, ada, session, call(1)).seen.whole()
    await eventually(() => expect(calls).toEqual(['tools/call']))
    const stream = streamOf(two, visiting)
    expect(await stream.until(({ id }) => id === 1)).toEqual(answer(1))
    await post(two, ada, visiting, call(2)).seen.whole()
    await stream.until(({ id }) => id === 2)
    expect(stream.all).toEqual([answer(1), answer(2)])
  })

  it('sends progress and questions on the stream', async () => {
    const { one, two, ada, session, visiting, doing } = await start()
    doing.call = async (exchange) => {
      exchange.progress({ progress: 1 })
      const asked = await exchange.ask({ method: 'roots/list', params: undefined })
      return { kind: 'complete', result: payloadOf({ content: [], refused: 'error' in asked }) }
    }
    const stream = streamOf(one, session)
    post(two, ada, visiting, call(1, { _meta: { progressToken: 'p' } }))
    expect(await stream.until(({ id }) => id === 1)).toMatchObject({ result: { refused: true } })
    expect(stream.all[0]).toMatchObject({ method: 'notifications/progress', params: { progressToken: 'p' } })
  })

  it('is answered together with the others of its batch', async () => {
    const { one, ada, session, calls, doing } = await start()
    const stream = streamOf(one, session)
    const sent: (number | undefined)[] = []
    const sink: Sink = {
      owner: undefined,
      resumable: false,
      batched: true,
      open() {},
      send(_text, _last, _event, status) {
        sent.push(status)
        return undefined
      },
    }
    const origin: Origin = {
      transport: 'http',
      identity: ada,
      session,
      revision: undefined,
      dialect: '2.0',
      respondAsync: false,
    }
    let answerFirst = (): void => {}
    const last = new Promise<void>((resolve) => (answerFirst = resolve))
    let begun = 0
    doing.call = async () => {
      begun += 1
      if (begun === 1) await last
      return { kind: 'complete', result: payloadOf({ content: [] }) }
    }
    const bad = { jsonrpc: '2.0', id: 4, method: 5 }
    const ping = { jsonrpc: '2.0', id: 3, method: 'ping' }
    const frame = parseFrame(JSON.stringify([call(1), call(2), bad, ping]))
    if (frame.kind !== 'batch') throw new Error('no batch')
    for (const entry of frame.entries) {
      if (entry.kind !== 'unreadable') void one.receive(entry, { ...origin }, sink)
      else one.refuseOn(sink, entry.situation, origin, entry.message, entry.id)
    }
    await eventually(() => expect(calls).toHaveLength(2))
    answerFirst()
    const whole = (await stream.until((seen) => Array.isArray(seen))) as unknown as readonly JsonObject[]
    expect(sent).toEqual([202, 202, 202, 202])
    // In the order of the batch, regardless of the order of the answers.
    expect(whole.map(({ id }) => id)).toEqual([1, 2, 4, 3])
    expect(whole[2]).toMatchObject({ error: { code: -32_600 } })
    expect(stream.all).toHaveLength(1)
  })

  it('affects no other request when its answer cannot be sent', async () => {
    const { one, ada, session } = await start()
    const broken: Sink = {
      owner: undefined,
      resumable: false,
      open() {},
      send() {
        throw new Error('a broken sink')
      },
    }
    const frame = parseFrame(JSON.stringify(call(1)))
    if (frame.kind !== 'message') throw new Error('no message')
    void one.receive(
      frame.message,
      { transport: 'http', identity: ada, session, revision: undefined, dialect: '2.0', respondAsync: false },
      broken,
    )
    // An unhandled rejection would end the process and fail this run.
    const stream = streamOf(one, session)
    await post(one, ada, session, call(2)).seen.whole()
    expect(await stream.until(({ id }) => id === 2)).toEqual(answer(2))
  })

  it('gets no error on the stream of a session whose home cannot be asked', async () => {
    const { nodes, two, ada, visiting } = await start()
    const seen = new Seen()
    const statuses: (number | undefined)[] = []
    const sink: Sink = {
      owner: undefined,
      resumable: false,
      open() {},
      send(text, last, _event, status) {
        statuses.push(status)
        seen.ended = last
        seen.add(text)
        return undefined
      },
    }
    const left = nodes.leave(0)
    const from = { identity: ada, session: visiting, revision: undefined, dialect: '2.0' } as const
    two.refuseOn(sink, 'invalid_request', from, 'Expected a method', undefined)
    expect(await seen.whole()).toMatchObject([{ error: { code: -32_600 } }])
    expect(statuses).toEqual([400])
    await left
  })

  it('is cancelled on either node, and then not answered', async () => {
    const { one, two, ada, session, visiting, calls, doing } = await start()
    const ended: unknown[] = []
    doing.call = (exchange) =>
      new Promise((resolve) => {
        exchange.onEnd({
          ended(reason) {
            ended.push(reason)
            resolve({ kind: 'complete', result: payloadOf({}) })
          },
        })
      })
    const stream = streamOf(one, session)
    await post(one, ada, session, call(1)).seen.whole()
    await eventually(() => expect(calls).toHaveLength(1))
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }
    await eventually(() => {
      void two.receive(
        { kind: 'notification', dialect: '2.0', method: cancel.method, params: payloadOf(cancel.params) },
        { transport: 'http', identity: ada, session: visiting, revision: undefined, dialect: '2.0' },
        {} as Sink,
      )
      expect(ended).toEqual(['cancelled'])
    })
    doing.call = () => done
    await post(one, ada, session, call(2)).seen.whole()
    expect(await stream.until(({ id }) => id === 2)).toEqual(answer(2))
    expect(stream.all).toHaveLength(1)
  })

  it('is refused directly when there is no room, and on its stream when its id is in use', async () => {
    const { one, ada, session, doing } = await start(queuing, { jobsOfPrincipal: 2 })
    const gate = Promise.withResolvers<Outcome>()
    doing.call = () => gate.promise
    const stream = streamOf(one, session)
    await post(one, ada, session, call(1)).seen.whole()
    expect(await post(one, ada, session, call(1)).seen.whole()).toEqual([queued])
    const again = await stream.until(({ id }) => id === 1)
    expect(again).toMatchObject({ id: 1, error: { data: { reason: 'duplicate_id' } } })
    await post(one, ada, session, call(2)).seen.whole()
    const third = post(one, ada, session, call(3))
    expect(await third.seen.whole()).toMatchObject([{ id: 3, error: { data: { reason: 'overloaded' } } }])
    expect(third.statuses).toEqual([503])
    gate.resolve(done)
    await stream.until(({ id }) => id === 2)
    const freed = async (): Promise<void> => {
      expect(await post(one, ada, session, call(4)).seen.whole()).toEqual([queued])
    }
    await eventually(freed)
    await stream.until(({ id }) => id === 4)
  })

  it('can be requested by the client when its profile does not use it', async () => {
    const { one, ada, session } = await start(mcpProfile)
    const stream = streamOf(one, session)
    expect(await post(one, ada, session, call(1)).seen.whole()).toEqual([answer(1)])
    expect(await post(one, ada, session, call(2), true).seen.whole()).toEqual([queued])
    expect(await stream.until(({ id }) => id === 2)).toEqual(answer(2))
  })

  it('is run once for all repeats with its key, and each of them is answered', async () => {
    const { one, two, ada, session, visiting, calls } = await start()
    const stream = streamOf(one, session)
    expect(await post(one, ada, session, keyed(1)).seen.whole()).toEqual([queued])
    expect(await stream.until(({ id }) => id === 1)).toMatchObject({ result: { content: [] } })
    expect(await post(two, ada, visiting, keyed(2)).seen.whole()).toEqual([queued])
    expect(await stream.until(({ id }) => id === 2)).toEqual({ ...answer(2), jsonrpc: '3.0' })
    expect(calls).toHaveLength(1)
    expect(await post(two, ada, visiting, keyed(3, 'b')).seen.whole()).toEqual([queued])
    const other = await stream.until(({ id }) => id === 3)
    expect(other).toMatchObject({ id: 3, error: { code: -32_009, data: { reason: 'idempotency_conflict' } } })
  })

  it('is accepted again with its key while it runs, and answered once, when its client sends it again', async () => {
    const { one, two, ada, session, visiting, calls, doing } = await start()
    const gate = Promise.withResolvers<Outcome>()
    doing.call = () => gate.promise
    const stream = streamOf(one, session)
    // The second one comes while the first is being stored.
    const posts = [post(one, ada, session, keyed(1)), post(one, ada, session, keyed(1))]
    for (const { seen } of posts) {
      // oxlint-disable-next-line no-await-in-loop -- in order
      expect(await seen.whole()).toEqual([queued])
    }
    expect(await post(two, ada, visiting, keyed(2)).seen.whole()).toEqual([queued])
    expect(await post(two, ada, visiting, keyed(1)).seen.whole()).toEqual([queued])
    expect(await post(two, ada, visiting, keyed(2)).seen.whole()).toEqual([queued])
    gate.resolve(done)
    await stream.until(({ id }) => id === 2)
    await post(one, ada, session, call(3)).seen.whole()
    await stream.until(({ id }) => id === 3)
    expect(stream.all.map(({ id }) => id)).toEqual([1, 2, 3])
    expect(stream.all[0]).toEqual({ ...answer(1), jsonrpc: '3.0' })
    expect(calls).toHaveLength(2)
  })

  it.each(['running', 'waiting for room'])(
    'is answered to a repeat whose node is lost, while it is %s',
    async (state) => {
      const { nodes, one, two, ada, session, visiting, calls, doing } = await start(queuing, { jobsRunning: 1 })
      const gate = Promise.withResolvers<void>()
      let refusals = state === 'running' ? 0 : 1
      doing.call = async () => {
        await gate.promise
        if (refusals-- > 0) {
          const data = payloadOf({ reason: 'overloaded', retryable: true })
          return { kind: 'error', error: { code: -32_000, message: 'no room', data } }
        }
        return done
      }
      const stream = streamOf(one, session)
      expect(await post(one, ada, session, keyed(1)).seen.whole()).toEqual([queued])
      await eventually(() => expect(calls).toHaveLength(1))
      expect(await post(two, ada, visiting, keyed(2)).seen.whole()).toEqual([queued])
      await nodes.leave(1)
      gate.resolve()
      expect(await stream.until(({ id }) => id === 2)).toEqual({ ...answer(2), jsonrpc: '3.0' })
      expect(calls).toHaveLength(state === 'running' ? 1 : 2)
    },
  )

  it('leaves no record after its answer', async () => {
    const { nodes, one, ada, session } = await start()
    const spy = createMemoryFabric(nodes.bus)
    const stream = streamOf(one, session)
    await post(one, ada, session, call(1)).seen.whole()
    await stream.until(({ id }) => id === 1)
    await eventually(async () => expect(await spy.store('passing', 1_000).keys('')).toEqual([]))
    expect(await spy.store('jobs', 1_000).keys('')).toEqual([])
    await spy.close()
  })

  it('is never accepted when it cannot be stored', async () => {
    const { nodes, one, ada, session, calls } = await start()
    await nodes.leave(0)
    const sent = post(one, ada, session, call(1))
    expect(await sent.seen.whole()).toMatchObject([{ id: 1, error: { data: { reason: 'fabric_unavailable' } } }])
    expect(sent.statuses).toEqual([503])
    expect(calls).toEqual([])
  })
})

describe('a session that waits for an answer is not idle, although its stream is not read', () => {
  it.each(['its home', 'another node'])('when the request came to %s', async (place) => {
    // Each node runs one job at a time: the others wait in the queue.
    const { one, two, ada, session, visiting, doing } = await start(queuing, { sessionIdleMs: 1_200, jobsRunning: 1 })
    const gate = Promise.withResolvers<Outcome>()
    doing.call = () => gate.promise
    const [front, its] = place === 'its home' ? [one, session] : [two, visiting]
    for (const id of [1, 2, 3]) {
      const sent = post(front, ada, its, call(id))
      // oxlint-disable-next-line no-await-in-loop -- in order
      expect(await sent.seen.whole()).toEqual([queued])
    }
    for (let round = 0; round < 2; round += 1) {
      const params = { protocolVersion: '2025-03-26', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
      // oxlint-disable no-await-in-loop -- one after the other is idle for so long
      const { session: idle } = await openClient(one, ada, params)
      await eventually(async () => expect(await one.session(idle.id, ada)).toBeUndefined(), 10_000)
      // oxlint-enable no-await-in-loop
    }
    gate.resolve(done)
    const seen = streamOf(one, (await one.session(session.id, ada)) as Session)
    await eventually(() => expect(seen.all).toHaveLength(3))
    expect(seen.all).toEqual(expect.arrayContaining([answer(1), answer(2), answer(3)]))
  })
})

it.each(['the home', 'another node'])('a streamed answer waits for its client at %s', async (where) => {
  const { one, two, ada, session, visiting, doing } = await start(queuing, { streamEntries: 64 })
  const pieces = 400
  let made = 0
  doing.call = async (exchange) => {
    // oxlint-disable-next-line no-await-in-loop -- in order
    for (; made < pieces; made += 1) await exchange.chunk(payloadOf(made))
    return { kind: 'complete', result: payloadOf({ content: [] }) }
  }
  const [front, at] = where === 'the home' ? [one, session] : [two, visiting]
  await post(front, ada, at, { ...call(1), jsonrpc: '3.0', options: { stream: true } }).seen.whole()
  // Half of what is kept may wait for the client.
  await eventually(() => expect(made).toBeGreaterThanOrEqual(32))
  const stream = streamOf(one, session)
  await stream.until(({ result, error }) => result !== undefined || error !== undefined)
  expect(stream.all.slice(0, -1)).toMatchObject(
    Array.from({ length: pieces }, (_, count) => ({ stream: { data: { known: count } } })),
  )
  expect(stream.all.at(-1)).toMatchObject({ stream: { id: 1 }, result: { content: [] } })
})
