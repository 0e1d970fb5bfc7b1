import type { Outcome } from '@junctor/exchange'
import { payloadOf } from '@junctor/jsonrpc'
import { createChaosProxy, createRequest, type NatsServer, recordExchange, startNatsServer } from '@junctor/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { acquainted, joinCluster, leaveCluster } from './nats-cluster.ts'

let server: NatsServer

beforeAll(async () => {
  server = await startNatsServer()
})

afterAll(async () => {
  await server.stop()
})

test('a link with half a second of latency in each direction carries many chunks in each round trip', async () => {
  const link = await createChaosProxy({ port: server.port })
  const near = await joinCluster(server, { cluster: 'c' })
  const far = await joinCluster({ url: `nats://127.0.0.1:${link.port}` }, { cluster: 'c' })
  await acquainted([near, far])
  const text = 'x'.repeat(100)
  await far.fabric.serve('$chunks', async (_request, exchange) => {
    for (let n = 0; n < 5_000; n += 1) await exchange.chunk(`${n} ${text}`)
    return { kind: 'complete', result: payloadOf('done') }
  })
  for (const way of ['upstream', 'downstream'] as const) link.set(way, { latency: { latency: 500 } })
  const client = recordExchange()
  const target = { service: '$chunks', node: far.fabric.node }
  const outcome = await near.fabric.call(target, createRequest('m'), client.exchange)
  expect(outcome.kind).toBe('complete')
  expect(client.events).toHaveLength(5_000)
  expect(client.events.at(-1)).toEqual({ kind: 'chunk', data: `4999 ${text}` })
  link.set('upstream')
  link.set('downstream')
  await Promise.all([near, far].map(leaveCluster))
  await link.close()
  // With a round trip for each chunk, it would take more than an hour.
}, 120_000)

test('a result of 20 MB arrives, and one that takes eight seconds, beside a request that does', async () => {
  const link = await createChaosProxy({ port: server.port })
  const near = await joinCluster(server, { cluster: 'large' })
  const far = await joinCluster({ url: `nats://127.0.0.1:${link.port}` }, { cluster: 'large' })
  await acquainted([near, far])
  const text = (bytes: number): string => 'x'.repeat(bytes)
  await far.fabric.serve('huge', () => ({ kind: 'complete', result: payloadOf(text(20_000_000)) }))
  await far.fabric.serve('result', () => ({ kind: 'complete', result: payloadOf(text(4_800_000)) }))
  await far.fabric.serve('request', () => ({ kind: 'complete', result: payloadOf('done') }))
  const call = (service: string, params?: string): Promise<Outcome> =>
    near.fabric.call({ service }, createRequest('m', params), recordExchange().exchange)
  expect((await call('huge')).kind).toBe('complete')
  // A node that has received nothing from another for six seconds treats it as lost.
  for (const way of ['upstream', 'downstream'] as const) link.set(way, { bandwidth: { rate: 600 } })
  const outcomes = await Promise.all([call('result'), call('request', text(4_800_000))])
  expect(outcomes.map(({ kind }) => kind)).toEqual(['complete', 'complete'])
  for (const way of ['upstream', 'downstream'] as const) link.set(way)
  await Promise.all([near, far].map(leaveCluster))
  await link.close()
}, 60_000)
