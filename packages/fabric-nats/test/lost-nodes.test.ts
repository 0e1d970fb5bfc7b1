import { setTimeout as after } from 'node:timers/promises'
import type { EndReason, Exchange, Outcome } from '@junctor/exchange'
import type { NodeChange } from '@junctor/contracts'
import { payloadOf } from '@junctor/jsonrpc'
import { subjectsOf, subjectToken } from '@junctor/nats'
import {
  type ChaosProxy,
  createChaosProxy,
  createRequest,
  eventually,
  type NatsServer,
  type RecordedExchange,
  recordExchange,
  startNatsServer,
} from '@junctor/testkit'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { acquainted, joinCluster, leaveCluster, type TestNode } from './nats-cluster.ts'

/** How soon the contract promises that a lost node is noticed, in milliseconds, plus a reserve for a busy machine. */
const soonMs = 2_500

let server: NatsServer
/** The proxy to which the far node is connected. */
let network: ChaosProxy
let near: TestNode
let far: TestNode

beforeEach(async () => {
  server = await startNatsServer()
  network = await createChaosProxy({ port: server.port })
  near = await joinCluster(server, { cluster: 'c' })
  far = await joinCluster({ url: `nats://127.0.0.1:${network.port}` }, { cluster: 'c' })
  await acquainted([near, far])
})

afterEach(async () => {
  // A lost node cannot announce that it leaves.
  network.set('upstream')
  network.set('downstream')
  await network.up()
  await leaveCluster(near)
  await leaveCluster(far)
  await network.close()
  await server.stop()
})

interface PlacedCall {
  readonly client: RecordedExchange
  readonly outcome: Promise<Outcome>
  /** The far handler's exchange, and how it ended. */
  readonly exchange: Exchange
  readonly ended: Promise<EndReason>
  readonly settle: (outcome: Outcome) => void
}

/** Places a call whose handler has begun, and waits for the test. */
async function place(from: TestNode, to: TestNode): Promise<PlacedCall> {
  const begun = Promise.withResolvers<Exchange>()
  const result = Promise.withResolvers<Outcome>()
  const ended = Promise.withResolvers<EndReason>()
  await to.fabric.serve('backend', (_request, exchange) => {
    exchange.onEnd({ ended: ended.resolve })
    begun.resolve(exchange)
    return result.promise
  })
  const client = recordExchange()
  const outcome = from.fabric.call({ service: 'backend' }, createRequest('m'), client.exchange)
  const exchange = await begun.promise
  // The frames of the holder before this answer have arrived.
  await from.fabric.send(to.fabric.node, { kind: 'marker', body: null })
  return { client, outcome, exchange, ended: ended.promise, settle: result.resolve }
}

const done: Outcome = { kind: 'complete', result: payloadOf('done') }

function reasonOf(outcome: Outcome): unknown {
  if (outcome.kind !== 'error') return outcome.kind
  const data = outcome.error.data?.value() as { readonly reason?: unknown } | undefined
  return data?.reason
}

/** The duration of an operation, in milliseconds. */
async function timed(work: Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work
  return performance.now() - start
}

describe('a node whose connection breaks', () => {
  test('ends the calls to it within 2 s, and their asks', async () => {
    const { client, outcome, exchange } = await place(near, far)
    void exchange.ask({ method: 'roots/list', params: undefined })
    await eventually(() => expect(client.asks.size).toBe(1))
    await network.down()
    expect(await timed(outcome)).toBeLessThan(soonMs)
    expect(reasonOf(await outcome)).toBe('backend_exited')
    expect(client.events.map((event) => event.kind)).toEqual(['ask', 'withdrawn'])
  })

  test('ends the calls from it within 2 s: their handlers are notified', async () => {
    const { ended } = await place(far, near)
    await network.down()
    expect(await timed(ended)).toBeLessThan(soonMs)
    expect(await ended).toBe('disconnected')
  })

  test('learns when it is back that its calls are over', async () => {
    const { outcome, ended } = await place(near, far)
    await network.down()
    await outcome
    await network.up()
    expect(await ended).toBe('disconnected')
  })

  test('learns that a call was given up whose acceptance it could not send', async () => {
    const begun = Promise.withResolvers<void>()
    const ended = Promise.withResolvers<EndReason>()
    await far.fabric.serve('$held', (_request, exchange) => {
      exchange.onEnd({ ended: ended.resolve })
      begun.resolve()
      return new Promise<Outcome>(() => {})
    })
    network.set('upstream', { latency: { latency: 60_000 } })
    const target = { service: '$held', node: far.fabric.node }
    const outcome = near.fabric.call(target, createRequest('m'), recordExchange().exchange)
    await begun.promise
    await network.down()
    network.set('upstream')
    await network.up()
    expect(reasonOf(await outcome)).toBe('backend_exited')
    expect(await ended.promise).toBe('disconnected')
  })

  test('is reported as left, and as joined when it comes back', async () => {
    const changes: NodeChange[] = []
    const { outcome } = await place(near, far)
    const controller = new AbortController()
    const reading = (async () => {
      for await (const change of near.fabric.nodes(controller.signal)) changes.push(change)
    })()
    await network.down()
    await outcome
    await network.up()
    const { node } = far.fabric
    await eventually(() =>
      expect(changes.slice(1)).toEqual([
        { kind: 'joined', node, about: {} },
        { kind: 'left', node },
        { kind: 'joined', node, about: {} },
      ]),
    )
    controller.abort()
    await reading
  })

  test('for a moment loses nothing without notice', async () => {
    const { client, outcome, exchange, settle } = await place(near, far)
    const chunks = Array.from({ length: 60 }, (_, n) => n)
    for (const chunk of chunks) {
      await exchange.chunk(chunk)
      if (chunk === 20) await network.down()
      if (chunk === 40) await network.up()
      if (exchange.ended !== undefined) break
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    settle(done)
    const seen = client.events.map((event) => event.kind === 'chunk' && event.data)
    const settled = reasonOf(await outcome)
    expect(settled === 'complete' ? seen : settled).toEqual(settled === 'complete' ? chunks : 'backend_exited')
    expect(seen).toEqual(chunks.slice(0, seen.length))
  })
})

test('a node that is restarted under its name does not have the calls of its predecessor', async () => {
  const first = await joinCluster(server, { cluster: 'c', node: 'same' })
  const { outcome } = await place(near, first)
  await first.connection.close()
  const second = await joinCluster(server, { cluster: 'c', node: 'same' })
  expect(reasonOf(await outcome)).toBe('backend_exited')
  await leaveCluster(second)
})

test.each(['*', '>', 'a.b', '', 'x'.repeat(5_000)])('a node cannot have an invalid name: %s', async (node) => {
  const outcome = await near.fabric.call({ service: 's', node }, createRequest('m'), recordExchange().exchange)
  expect(reasonOf(outcome)).toBe('backend_unavailable')
  expect(await near.fabric.send(node, { kind: 'k', body: null })).toBe(false)
})

test('a name in use is refused, and its node keeps it', async () => {
  const { node } = near.fabric
  await expect(joinCluster(server, { cluster: 'c', node })).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
  expect(await far.fabric.send(node, { kind: 'k', body: null })).toBe(true)
})

test('a node leaves in time when the server is gone', async () => {
  const { outcome, ended } = await place(near, far)
  await server.kill()
  expect(await timed(Promise.all([near.fabric.close(), far.fabric.close()]))).toBeLessThan(5_000)
  expect(reasonOf(await outcome)).toBe('backend_exited')
  expect(await ended).toBe('shutdown')
})

test('a node that vanishes is given up when it has missed three announcements', async () => {
  const { outcome } = await place(near, far)
  network.set('upstream', { timeout: { timeout: 0 } })
  network.set('downstream', { timeout: { timeout: 0 } })
  expect(await timed(outcome)).toBeLessThan(8_000)
  expect(reasonOf(await outcome)).toBe('backend_exited')
})

// What has stopped, or lost its network without a word, has its subscriptions at the server for minutes.
test('a call goes to another holder when the first that is asked has stopped', async () => {
  const serving = Promise.withResolvers<void>()
  far.connection.subscribe(subjectsOf('c').call('backend'), {
    queue: subjectToken('backend'),
    max: 1,
    callback: () => void far.fabric.serve('backend', async () => done).then(() => serving.resolve(), serving.reject),
  })
  await far.connection.flush()
  const outcome = near.fabric.call({ service: 'backend' }, createRequest('m'), recordExchange().exchange)
  await serving.promise
  expect(reasonOf(await outcome)).toBe('complete')
})

test('a call to a node that has stopped, and is no longer seen, ends', async () => {
  for (const verb of ['call', 'probe'] as const) far.connection.subscribe(subjectsOf('c').node('stopped', verb))
  await far.connection.flush()
  const target = { service: '$held', node: 'stopped' }
  const outcome = await near.fabric.call(target, createRequest('m'), recordExchange().exchange)
  expect(reasonOf(outcome)).toBe('backend_exited')
})

test('a call in flight during a restart of the server settles', async () => {
  const { outcome, settle } = await place(near, far)
  await server.restart()
  settle(done)
  expect(['complete', 'backend_exited']).toContain(reasonOf(await outcome))
  await eventually(async () => {
    const again = await near.fabric.call({ service: 'backend' }, createRequest('m'), recordExchange().exchange)
    expect(reasonOf(again)).toBe('complete')
  })
})

test.each(['to', 'from'])(
  'a call %s a node continues when the node comes back late from a killed server',
  async (way) => {
    const { outcome, settle, ended } = await (way === 'to' ? place(near, far) : place(far, near))
    for (let time = 1; time <= 2; time += 1) {
      await network.down()
      await server.kill()
      await server.restart()
      await eventually(() => expect(near.fabric.gauges()).toMatchObject({ connected: true, reconnects: time }))
      await network.up()
      await eventually(() => expect(far.fabric.gauges().connected).toBe(true))
      // Longer than the nodes need to find out whether a message was lost.
      expect(await Promise.race([outcome.then(reasonOf), ended, after(1_000, 'under way')])).toBe('under way')
    }
    settle(done)
    expect(reasonOf(await outcome)).toBe('complete')
  },
  20_000,
)

test('a node that comes back from a killed server waits for nodes that come back later', async () => {
  const changes: NodeChange[] = []
  const controller = new AbortController()
  const reading = (async () => {
    for await (const change of near.fabric.nodes(controller.signal)) changes.push(change)
  })()
  const { outcome, settle } = await place(near, far)
  await server.kill()
  await network.down()
  const back = near.fabric.gauges().reconnects
  // Longer than three probes take.
  await new Promise((resolve) => setTimeout(resolve, 2_000))
  await server.restart()
  await eventually(() => expect(near.fabric.gauges().reconnects).toBeGreaterThan(back))
  // Longer than the server needs to report a missing subscriber, and far less than the other node has to come back.
  await new Promise((resolve) => setTimeout(resolve, 1_700))
  await network.up()
  await eventually(() => expect(far.fabric.gauges().reconnects).toBeGreaterThan(0))
  settle(done)
  expect(reasonOf(await outcome)).toBe('complete')
  expect(changes.map(({ kind }) => kind)).not.toContain('left')
  controller.abort()
  await reading
})

test('a node that is cut off, or whose server is gone, treats no other node as gone', async () => {
  const changes: NodeChange[] = []
  const controller = new AbortController()
  const reading = (async () => {
    for await (const change of far.fabric.nodes(controller.signal)) changes.push(change)
  })()
  await eventually(() => expect(changes).toHaveLength(2))
  const { outcome } = await place(far, near)
  network.set('upstream', { timeout: { timeout: 0 } })
  network.set('downstream', { timeout: { timeout: 0 } })
  expect(await timed(outcome)).toBeLessThan(10_000)
  network.set('upstream')
  network.set('downstream')
  await eventually(async () => {
    const again = await far.fabric.call(
      { service: 'none', node: near.fabric.node },
      createRequest('m'),
      recordExchange().exchange,
    )
    expect(reasonOf(again)).toBe('backend_unavailable')
  })
  expect(changes).toHaveLength(2)
  controller.abort()
  await reading
}, 30_000)
