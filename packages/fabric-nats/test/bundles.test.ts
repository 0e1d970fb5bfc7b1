import type { CallTarget } from '@junctor/contracts'
import type { Outcome } from '@junctor/exchange'
import { payloadOf } from '@junctor/jsonrpc'
import { createRequest, recordExchange } from '@junctor/testkit'
import type { Msg } from '@nats-io/transport-node'
import { expect, test } from 'vitest'
import { pairFixture } from './pair-fixture.ts'

const pair = pairFixture()

const numbers = Array.from({ length: 100 }, (_, n) => n)

/** Makes all calls in one turn of the event loop. */
function callAll(to: CallTarget): Promise<readonly Outcome[]> {
  const calls = numbers.map((n) => pair.near.fabric.call(to, createRequest('m', [n]), recordExchange().exchange))
  return Promise.all(calls)
}

test('calls of one turn share messages in both directions, and each has its own outcome', async () => {
  await pair.far.fabric.serve('backend', ({ params = payloadOf({}) }) => ({ kind: 'complete', result: params }))
  const subjects: string[] = []
  const callback = (_error: Error | null, { subject }: Msg): void => void subjects.push(subject)
  const watched = [`${pair.far.fabric.node}.call`, `${pair.near.fabric.node}.in.>`].map((end) =>
    pair.near.connection.subscribe(`junctor.v1.c.node.${end}`, { callback }),
  )
  await pair.near.connection.flush()
  const outcomes = await callAll({ service: 'backend', node: pair.far.fabric.node })
  expect(outcomes.map((outcome) => outcome.kind === 'complete' && outcome.result.value())).toEqual(
    numbers.map((n) => [n]),
  )
  await pair.near.connection.flush()
  expect(subjects.length).toBeLessThan(20)
  // A server reports a missing subscriber to any one subscription of the connection.
  for (const subscription of watched) subscription.unsubscribe()
})

test('calls that share a message to a missing node are all refused immediately', async () => {
  const outcomes = await callAll({ service: 'absent', node: 'nobody' })
  expect(outcomes.map((outcome) => outcome.kind === 'error' && outcome.error.data?.value())).toEqual(
    numbers.map(() => expect.objectContaining({ reason: 'backend_unavailable' })),
  )
})
