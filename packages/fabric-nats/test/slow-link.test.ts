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

test('a link with half a second of latency in each direction carries 5,000 chunks in a fraction of a minute', async () => {
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
  const began = performance.now()
  const outcome = await near.fabric.call(target, createRequest('m'), client.exchange)
  expect(outcome.kind).toBe('complete')
  expect(client.events).toHaveLength(5_000)
  expect(client.events.at(-1)).toEqual({ kind: 'chunk', data: `4999 ${text}` })
  expect(performance.now() - began).toBeLessThan(20_000)
  link.set('upstream')
  link.set('downstream')
  await Promise.all([near, far].map(leaveCluster))
  await link.close()
}, 120_000)

test('a result of 20 MB arrives, also over a link of ten megabytes a second', async () => {
  const link = await createChaosProxy({ port: server.port })
  const near = await joinCluster(server, { cluster: 'large' })
  const far = await joinCluster({ url: `nats://127.0.0.1:${link.port}` }, { cluster: 'large' })
  await acquainted([near, far])
  await far.fabric.serve('large', () => ({ kind: 'complete', result: payloadOf('x'.repeat(20_000_000)) }))
  for (const rate of [undefined, 10_000]) {
    link.set('upstream', rate === undefined ? {} : { bandwidth: { rate } })
    const outcome = await near.fabric.call({ service: 'large' }, createRequest('m'), recordExchange().exchange)
    expect(outcome.kind).toBe('complete')
  }
  link.set('upstream')
  await Promise.all([near, far].map(leaveCluster))
  await link.close()
}, 60_000)
