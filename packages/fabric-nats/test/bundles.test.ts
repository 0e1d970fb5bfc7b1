import type { Outcome } from '@junctor/exchange'
import { payloadOf } from '@junctor/jsonrpc'
import { createRequest, type NatsServer, recordExchange, startNatsServer } from '@junctor/testkit'
import type { Msg } from '@nats-io/transport-node'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { acquainted, joinCluster, leaveCluster, type TestNode } from './nats-cluster.ts'

let server: NatsServer
let near: TestNode
let far: TestNode

beforeEach(async () => {
  server = await startNatsServer()
  near = await joinCluster(server, { cluster: 'c' })
  far = await joinCluster(server, { cluster: 'c' })
  await acquainted([near, far])
})

afterEach(async () => {
  await leaveCluster(near)
  await leaveCluster(far)
  await server.stop()
})

const numbers = Array.from({ length: 100 }, (_, n) => n)

/** Calls of one turn of the event loop. */
function callAll(node: string): Promise<readonly Outcome[]> {
  const to = { service: 'backend', node }
  const calls = numbers.map((n) => near.fabric.call(to, createRequest('m', [n]), recordExchange().exchange))
  return Promise.all(calls)
}

test('calls of one turn share messages, each way, and each has its own outcome', async () => {
  await far.fabric.serve('backend', ({ params = payloadOf({}) }) => ({ kind: 'complete', result: params }))
  const subjects: string[] = []
  const callback = (_error: Error | null, { subject }: Msg): void => void subjects.push(subject)
  near.connection.subscribe(`junctor.v1.c.node.${far.fabric.node}.call`, { callback })
  near.connection.subscribe(`junctor.v1.c.node.${near.fabric.node}.in.>`, { callback })
  await near.connection.flush()
  const outcomes = await callAll(far.fabric.node)
  expect(outcomes.map((outcome) => outcome.kind === 'complete' && outcome.result.value())).toEqual(
    numbers.map((n) => [n]),
  )
  await near.connection.flush()
  expect(subjects.length).toBeLessThan(20)
})

test('calls that share a message to a node that is not there are all refused at once', async () => {
  const outcomes = await callAll('nobody')
  expect(outcomes.map((outcome) => outcome.kind === 'error' && outcome.error.data?.value())).toEqual(
    numbers.map(() => expect.objectContaining({ reason: 'backend_unavailable' })),
  )
})
