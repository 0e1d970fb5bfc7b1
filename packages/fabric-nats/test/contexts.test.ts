import type { CallContext, Outcome } from '@junctor/exchange'
import { payloadOf } from '@junctor/jsonrpc'
import { createRequest, type NatsServer, recordExchange, startNatsServer } from '@junctor/testkit'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { acquainted, joinCluster, leaveCluster, type TestNode } from './nats-cluster.ts'

let server: NatsServer
let near: TestNode
let far: TestNode
const seen: CallContext[] = []

beforeEach(async () => {
  server = await startNatsServer()
  near = await joinCluster(server, { cluster: 'c' })
  await start()
})

afterEach(async () => {
  await leaveCluster(near)
  await leaveCluster(far)
  await server.stop()
})

/** Another node each time, under the same name. */
async function start(): Promise<void> {
  seen.length = 0
  far = await joinCluster(server, { cluster: 'c', node: 'far' })
  await far.fabric.serve('backend', (_request, { context }) => {
    seen.push(context)
    return { kind: 'complete', result: payloadOf(null) }
  })
  await acquainted([near, far])
}

/** The part of the context that is the same in all requests of a session. */
function sessionOf(n: number): CallContext {
  return {
    tenant: `tenant ${n % 2}`,
    principal: { issuer: 'test', subject: `${n}`, key: `test ${n}` },
    session: n % 3 === 0 ? undefined : `session ${n}`,
    revision: '2025-11-25',
    client: { info: { name: `client ${n}`, version: '1' }, capabilities: {} },
    trace: undefined,
  }
}

function call(session: CallContext, trace: string): Promise<Outcome> {
  const { exchange } = recordExchange({ init: { context: { ...session, trace } } })
  return near.fabric.call({ service: 'backend', node: 'far' }, createRequest('m'), exchange)
}

test('each call has the context of its own session, also when only its name is sent', async () => {
  const sessions = Array.from({ length: 10 }, (_, n) => sessionOf(n))
  const calls = Array.from({ length: 200 }, (_, n) => ({
    session: sessions[(n * 7) % 10] as CallContext,
    trace: `trace ${n}`,
  }))
  // Some calls in one turn, some each in its own turn.
  await Promise.all(calls.slice(0, 100).map(({ session, trace }) => call(session, trace)))
  // oxlint-disable-next-line no-await-in-loop
  for (const { session, trace } of calls.slice(100)) await call(session, trace)
  expect(seen).toStrictEqual(calls.map(({ session, trace }) => ({ ...session, trace })))
})

test('a node that does not know a context receives it, and the calls get their outcomes', async () => {
  const session = sessionOf(1)
  for (const trace of ['a', 'b', 'c']) {
    // oxlint-disable-next-line no-await-in-loop
    expect((await call(session, trace)).kind).toBe('complete')
  }
  await leaveCluster(far)
  await start()
  const outcomes = await Promise.all(['d', 'e'].map((trace) => call(session, trace)))
  expect(outcomes.map(({ kind }) => kind)).toEqual(['complete', 'complete'])
  expect((await call(session, 'f')).kind).toBe('complete')
  expect(seen).toStrictEqual(['d', 'e', 'f'].map((trace) => ({ ...session, trace })))
})
