import type { UnreadableReporter } from '@junctor/contracts'
import { createMemoryBus, createMemoryFabric } from '@junctor/fabric'
import { payloadOf } from '@junctor/jsonrpc'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { nodeId } from '../shared/node-id.ts'
import { askNode } from './ask-node.ts'
import { nodeContext } from './node-context.ts'

function setUp() {
  const bus = createMemoryBus()
  const [fabric, other] = [createMemoryFabric(bus), createMemoryFabric(bus)]
  let ids = 0
  const reported: unknown[] = []
  const unreadable: UnreadableReporter = (...about) => void reported.push(about)
  const answer = z.object({ a: z.number() })
  const host = { nextId: () => nodeId(fabric.node, (ids++).toString(36)) }
  const ask = (service: string, withinMs: number, node = other.node) =>
    askNode({ fabric, host, unreadable }, { node, service, context: nodeContext, body: { a: 1 }, answer, withinMs })
  return { ask, other, reported }
}

test('the answer of the other node is returned', async () => {
  const { ask, other } = setUp()
  await other.serve('$echo', (request) => ({ kind: 'complete', result: payloadOf(request.params?.value() as {}) }))
  expect(await ask('$echo', 5_000)).toEqual({ kind: 'answered', value: { a: 1 } })
})

test('an answer that cannot be read is reported, and treated as no answer', async () => {
  const { ask, other, reported } = setUp()
  await other.serve('$echo', () => ({ kind: 'complete', result: payloadOf({ a: 'one' }) }))
  expect(await ask('$echo', 5_000)).toEqual({ kind: 'silent' })
  expect(reported).toEqual([['answer', `${other.node} $echo`, 'a: Invalid input: expected number, received string']])
})

test('a node that is not there, or does not know the service, is gone', async () => {
  const { ask } = setUp()
  expect(await ask('$echo', 5_000)).toEqual({ kind: 'gone' })
  expect(await ask('$echo', 5_000, 'nobody00')).toEqual({ kind: 'gone' })
})

test('a node that does not answer in time is silent, and need not go on', async () => {
  const { ask, other } = setUp()
  const stopped = Promise.withResolvers<unknown>()
  await other.serve('$echo', (_request, exchange) => {
    exchange.onEnd({ ended: stopped.resolve })
    return new Promise(() => {})
  })
  expect(await ask('$echo', 20)).toEqual({ kind: 'silent' })
  expect(await stopped.promise).toBe('deadline')
})
