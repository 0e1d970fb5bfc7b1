import type { Handler } from '@junctor/exchange'
import { type Log, silentLog } from '@junctor/contracts'
import { payloadOf } from '@junctor/jsonrpc'
import { subjectsOf } from '@junctor/nats'
import { createRequest, eventually, type NatsServer, recordExchange, startNatsServer } from '@junctor/testkit'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { acquainted, joinCluster, leaveCluster, type TestNode } from './nats-cluster.ts'

const [old, next] = ['the key that all nodes have until now', 'the key that all nodes are to have then'] as const

let server: NatsServer

beforeAll(async () => {
  server = await startNatsServer()
})

afterAll(async () => {
  await server.stop()
})

const done: Handler = () => ({ kind: 'complete', result: payloadOf('done') })

async function called({ fabric }: TestNode, service: string): Promise<string> {
  const outcome = await fabric.call({ service }, createRequest('m'), recordExchange().exchange)
  return outcome.kind
}

test('a key is replaced node by node, without any loss', async () => {
  const join = (...keys: string[]): Promise<TestNode> => joinCluster(server, { cluster: 'rotated', keys })
  const nodes = [await join(old), await join(old)]
  await nodes[0]?.fabric.store<string>('s', 60_000).put('key', 'from the start')
  await nodes[0]?.fabric.queue<string>('q', 60_000).push('id', 'from the start')
  for (const keys of [[old, next], [next, old], [next]]) {
    for (const place of [0, 1]) {
      const other = nodes[1 - place] as TestNode
      await leaveCluster(nodes[place] as TestNode)
      const joined = await join(...keys)
      nodes[place] = joined
      await acquainted([joined, other])
      expect(joined.fabric.gauges()).toMatchObject({ problem: undefined, hasWrongKey: false })
      const services = await Promise.all([joined, other].map(({ fabric }) => fabric.serve(`of ${fabric.node}`, done)))
      expect(await called(other, `of ${joined.fabric.node}`)).toBe('complete')
      expect(await called(joined, `of ${other.fabric.node}`)).toBe('complete')
      await Promise.all(services.map((service) => service.close()))
      const [writer, reader] = [joined, other].map(({ fabric }) => fabric.store<string>('s', 60_000))
      expect(await reader?.get('key')).toHaveProperty('value', 'from the start')
      expect(await writer?.get('key')).toHaveProperty('value', 'from the start')
      // Data in use are written again.
      await writer?.put('key', 'from the start')
      const lease = await other.fabric.queue<string>('q', 60_000).take(AbortSignal.timeout(10_000))
      expect(lease).toMatchObject({ id: 'id', value: 'from the start' })
      await lease?.done()
      await joined.fabric.queue<string>('q', 60_000).push('id', 'from the start')
      expect(other.fabric.gauges().foreign).toEqual({ sent: 0, repeated: 0, stored: 0 })
      expect(joined.fabric.gauges().foreign).toEqual({ sent: 0, repeated: 0, stored: 0 })
    }
  }
  await Promise.all(nodes.map(leaveCluster))
}, 60_000)

test('a node with another key does not take part, until it is alone', async () => {
  const warn = vi.fn<Log['warn']>()
  const handler = vi.fn<Handler>(done)
  const own = await joinCluster(server, { cluster: 'kept', keys: [old], log: { ...silentLog, warn } })
  const stranger = await joinCluster(server, { cluster: 'kept', keys: [next] })
  expect(stranger.fabric.gauges()).toMatchObject({ hasWrongKey: true, problem: expect.stringContaining('key') })
  expect(own.fabric.gauges()).toMatchObject({ hasWrongKey: false, problem: undefined })
  // It serves nothing, and takes nothing.
  const hosted = await stranger.fabric.serve('service', handler)
  await own.fabric.serve('service', done)
  const taken = stranger.fabric.queue<string>('q', 60_000).take(AbortSignal.timeout(3_000))
  const queue = own.fabric.queue<string>('q', 60_000)
  for (let n = 0; n < 20; n += 1) {
    expect(await called(own, 'service')).toBe('complete')
    await queue.push(`${n}`, 'value')
    const lease = await queue.take(AbortSignal.timeout(10_000))
    expect(lease?.id).toBe(`${n}`)
    await lease?.done()
  }
  expect(await taken).toBeUndefined()
  expect(handler).not.toHaveBeenCalled()
  expect(await called(stranger, 'service')).toBe('error')
  await expect(stranger.fabric.store('s', 60_000).put('key', 1)).rejects.toMatchObject({ code: 'FABRIC_UNAVAILABLE' })
  await eventually(() => expect(own.fabric.gauges().foreign.sent).toBeGreaterThan(1), 10_000)
  expect(warn).toHaveBeenCalledTimes(1)
  expect(warn).toHaveBeenCalledWith(expect.stringContaining('key'), {
    subject: 'junctor.v1.kept.all.alive',
    count: 1,
  })
  // Like a mark that no node has renewed for a minute.
  await leaveCluster(own)
  await stranger.connection.request(`$JS.API.STREAM.DELETE.KV_${subjectsOf('kept').bucket('cluster')}`, '', {
    timeout: 5_000,
  })
  await eventually(() => expect(stranger.fabric.gauges().problem).toBeUndefined(), 20_000)
  const later = await joinCluster(server, { cluster: 'kept', keys: [next] })
  await acquainted([stranger, later])
  expect(await called(later, 'service')).toBe('complete')
  expect(handler).toHaveBeenCalledTimes(1)
  await hosted.close()
  await leaveCluster(stranger)
  await leaveCluster(later)
}, 60_000)
