import { type Handler, silentLog } from '@junctor/exchange'
import { payloadOf } from '@junctor/jsonrpc'
import { connectNats, subjectsOf } from '@junctor/nats'
import { createRequest, eventually, type NatsServer, recordExchange, startNatsServer } from '@junctor/testkit'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { Seal } from '../src/seal.ts'
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

const control = Buffer.from(JSON.stringify({ from: 'near', control: { kind: 'k', body: 1 } }))

test.each<[string, (subject: string) => Uint8Array]>([
  ['without a seal', () => control],
  ['of another cluster’s key', (subject) => new Seal('another key').close(subject, '', control)],
  ['that was sealed for another subject', () => new Seal(clusterKey).close(subjects.all('alive'), '', control)],
])('a control %s is not heard', async (_what, forge) => {
  const heard: unknown[] = []
  far.fabric.onControl((one) => heard.push(one.kind))
  for (const subject of [subjects.all('control'), subjects.node(far.fabric.node, 'control')]) {
    stranger.publish(subject, forge(subject))
  }
  await stranger.flush()
  await near.fabric.send(far.fabric.node, { kind: 'marker', body: null })
  await eventually(() => expect(heard).toContain('marker'))
  expect(heard).toEqual(['marker'])
})

test('a sealed control is heard: the forgeries above are refused for their seal alone', async () => {
  const heard: unknown[] = []
  far.fabric.onControl((one) => heard.push(one.kind))
  const subject = subjects.all('control')
  stranger.publish(subject, new Seal(clusterKey).close(subject, '', control))
  await eventually(() => expect(heard).toEqual(['k']))
})

test('a goodbye that a node did not say ends nothing', async () => {
  const goodbye = Buffer.from(JSON.stringify({ node: far.fabric.node, leaves: true }))
  stranger.publish(subjects.all('alive'), goodbye)
  await stranger.flush()
  await near.fabric.send(near.fabric.node, { kind: 'marker', body: null })
  expect(await near.fabric.send('all', { kind: 'k', body: 1 })).toBe(true)
})

test('a call from a node with another key runs nothing, and ends', async () => {
  await far.fabric.serve('backend', handler)
  const other = await joinCluster(server, { cluster: 'c', key: 'another secret, which is as long as it has to be' })
  const outcome = await other.fabric.call({ service: 'backend' }, createRequest('m'), recordExchange().exchange)
  expect(outcome.kind).toBe('error')
  expect(handler).not.toHaveBeenCalled()
  await leaveCluster(other)
})

test.each(['', 'short', 'k'.repeat(31)])('a key of few characters is refused: %j', async (key) => {
  await expect(joinCluster(server, { cluster: 'c', key })).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
})
