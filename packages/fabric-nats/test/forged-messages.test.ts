import type { Handler } from '@junctor/exchange'
import { silentLog } from '@junctor/contracts'
import { payloadOf } from '@junctor/jsonrpc'
import { connectNats, subjectsOf } from '@junctor/nats'
import { createRequest, eventually, type NatsServer, recordExchange, startNatsServer } from '@junctor/testkit'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { createClusterKey } from '../src/seal/cluster-key.ts'
import { Seal } from '../src/seal/seal.ts'
import { malformedHeaders } from './malformed-headers.ts'
import { acquainted, clusterKey, joinCluster, leaveCluster, type TestNode } from './nats-cluster.ts'

let server: NatsServer
let near: TestNode
let far: TestNode
let stranger: Awaited<ReturnType<typeof connectNats>>

const subjects = subjectsOf('c')
const handler = vi.fn<Handler>(() => ({ kind: 'complete', result: payloadOf('done') }))

beforeAll(async () => {
  server = await startNatsServer()
})

afterAll(async () => {
  await server.stop()
})

beforeEach(async () => {
  handler.mockClear()
  near = await joinCluster(server, { cluster: 'c' })
  far = await joinCluster(server, { cluster: 'c' })
  await acquainted([near, far])
  stranger = await connectNats({ servers: [server.url] }, silentLog)
})

afterEach(async () => {
  await stranger.close()
  await leaveCluster(near)
  await leaveCluster(far)
})

const sealOf = (key: string): Seal => new Seal([createClusterKey(key)], 'stranger')
const control = Buffer.from(JSON.stringify({ from: 'near', control: { kind: 'k', body: 1 } }))

test.each<[string, (subject: string) => Uint8Array]>([
  ['without a seal', () => control],
  ['of another cluster’s key', (subject) => sealOf('another key').close(subject, '', control)],
  ['that was sealed for another subject', () => sealOf(clusterKey).close(subjects.all('alive'), '', control)],
])('a control %s is not delivered', async (_what, forge) => {
  const received: unknown[] = []
  far.fabric.onControl((one) => received.push(one.kind))
  for (const subject of [subjects.all('control'), subjects.node(far.fabric.node, 'control')]) {
    stranger.publish(subject, forge(subject))
  }
  await stranger.flush()
  await near.fabric.send(far.fabric.node, { kind: 'marker', body: null })
  await eventually(() => expect(received).toContain('marker'))
  expect(received).toEqual(['marker'])
})

test('a sealed control is delivered: the forgeries above are refused only because of their seal', async () => {
  const received: unknown[] = []
  far.fabric.onControl((one) => received.push(one.kind))
  const subject = subjects.all('control')
  stranger.publish(subject, sealOf(clusterKey).close(subject, '', control))
  await eventually(() => expect(received).toEqual(['k']))
})

/** Records all messages on a subject, as the server carries them. */
function capture(subject: string): { readonly subject: string; readonly reply: string; readonly data: Uint8Array }[] {
  const received: { readonly subject: string; readonly reply: string; readonly data: Uint8Array }[] = []
  stranger.subscribe(subject, {
    callback(_error, { subject: to, reply = '', data }) {
      received.push({ subject: to, reply, data: data.slice() })
    },
  })
  return received
}

/** Sends the recorded messages again, unchanged. */
async function repeat(received: ReturnType<typeof capture>): Promise<void> {
  // The nodes can have a message before this client has its copy.
  await stranger.flush()
  expect(received).not.toEqual([])
  for (const { subject, reply, data } of received.splice(0)) {
    stranger.publish(subject, data, reply === '' ? {} : { reply })
  }
  await stranger.flush()
}

test('a repeated call is not run again', async () => {
  await far.fabric.serve('$own', handler)
  const received = capture(`${subjects.root}.>`)
  await stranger.flush()
  const target = { service: '$own', node: far.fabric.node }
  const outcome = await near.fabric.call(target, createRequest('m'), recordExchange().exchange)
  expect(outcome.kind).toBe('complete')
  await repeat(received)
  await near.fabric.send(far.fabric.node, { kind: 'marker', body: null })
  await eventually(() => expect(far.fabric.gauges().foreign.repeated).toBeGreaterThan(0))
  expect(handler).toHaveBeenCalledTimes(1)
})

test('a call to any holder is not run by another holder to which it is repeated', async () => {
  const held = Promise.withResolvers<{ readonly kind: 'complete'; readonly result: ReturnType<typeof payloadOf> }>()
  const service = await far.fabric.serve('backend', (...call) => {
    void handler(...call)
    return held.promise
  })
  const received = capture(subjects.call('backend'))
  await stranger.flush()
  const client = recordExchange()
  const called = near.fabric.call({ service: 'backend' }, createRequest('m'), client.exchange)
  await eventually(() => expect(handler).toHaveBeenCalledTimes(1))
  await service.close()
  const third = await joinCluster(server, { cluster: 'c' })
  await third.fabric.serve('backend', handler)
  await repeat(received)
  await eventually(() => expect(third.fabric.gauges().served).toBe(1))
  // The holder accepts the call, whose opening never arrives.
  await eventually(() => expect(third.fabric.gauges().served).toBe(0), 10_000)
  held.resolve({ kind: 'complete', result: payloadOf('first') })
  expect(await called).toMatchObject({ kind: 'complete' })
  expect(handler).toHaveBeenCalledTimes(1)
  await leaveCluster(third)
}, 30_000)

test('repeated controls and leave announcements are not delivered again', async () => {
  const received: string[] = []
  near.fabric.onControl(({ kind }) => received.push(kind))
  const captured = capture(`${subjects.root}.>`)
  await stranger.flush()
  await far.fabric.send('all', { kind: 'to all', body: 1 })
  await far.fabric.send(near.fabric.node, { kind: 'to one', body: 1 })
  await eventually(() => expect(received.toSorted()).toEqual(['to all', 'to one']))
  await repeat(captured)
  await far.fabric.send(near.fabric.node, { kind: 'marker', body: null })
  await eventually(() => expect(received).toContain('marker'))
  expect(received).toHaveLength(3)
})

test('a message with malformed headers does not cut the node off from NATS', async () => {
  await far.fabric.serve('$own', handler)
  const { node } = far.fabric
  for (const subject of [subjects.inbox(node, 'x'), subjects.node(node, 'control'), subjects.all('alive')]) {
    stranger.publish(subject, '', { headers: malformedHeaders(), reply: subject })
  }
  await stranger.flush()
  const outcome = await near.fabric.call({ service: '$own', node }, createRequest('m'), recordExchange().exchange)
  expect(outcome.kind).toBe('complete')
})

test('a forged leave announcement ends nothing', async () => {
  const goodbye = Buffer.from(JSON.stringify({ node: far.fabric.node, leaves: true }))
  stranger.publish(subjects.all('alive'), goodbye)
  await stranger.flush()
  await near.fabric.send(near.fabric.node, { kind: 'marker', body: null })
  expect(await near.fabric.send('all', { kind: 'k', body: 1 })).toBe(true)
})

test('a call from a node with another key runs nothing, and ends', async () => {
  await far.fabric.serve('backend', handler)
  const other = await joinCluster(server, { cluster: 'c', keys: ['another secret, which is as long as it has to be'] })
  const outcome = await other.fabric.call({ service: 'backend' }, createRequest('m'), recordExchange().exchange)
  expect(outcome.kind).toBe('error')
  expect(handler).not.toHaveBeenCalled()
  await leaveCluster(other)
})

test.each(['', 'short', 'k'.repeat(31)])('a key with too few characters is refused: %j', async (key) => {
  await expect(joinCluster(server, { cluster: 'c', keys: [key] })).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
})
