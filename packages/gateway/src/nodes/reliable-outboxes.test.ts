import { createMemoryBus, createMemoryFabric } from '@junctor/fabric'
import { payloadOf } from '@junctor/jsonrpc'
import { eventually } from '@junctor/testkit'
import { expect, test } from 'vitest'
import { nodeId } from '../shared/node-id.ts'
import { createReliableOutboxes } from './reliable-outboxes.ts'

test('a node that is lost with items on their way is forgotten when these are given up', async () => {
  const bus = createMemoryBus()
  const fabric = createMemoryFabric(bus)
  let now = 0
  const host = {
    nextId: () => nodeId(fabric.node, '1'),
    now: () => (now += 6_000),
    asked() {},
    answered() {},
    closed() {},
  }
  const outboxes = createReliableOutboxes<{ readonly text: string }>(
    { fabric, host, isPresent: async () => false, unreadable: expect.unreachable },
    { service: '$test', data: 'job_frame', read: () => ({ kind: 'unreadable', problem: '' }), take() {} },
  )
  /** The outbox of each batch that the other node gets. */
  const senders: string[] = []
  const start = async () => {
    const other = createMemoryFabric(bus, 'other')
    await other.serve('$test', ({ params }) => {
      senders.push(String((params?.value() as { from?: string } | undefined)?.from))
      return { kind: 'complete', result: payloadOf({}) }
    })
    return other
  }
  const other = await start()
  void outboxes.send('other', { text: 'a' })
  await eventually(() => expect(senders).toHaveLength(1))
  await other.close()
  void outboxes.send('other', { text: 'b' })
  outboxes.lost('other')
  await outboxes.settled()
  await start()
  void outboxes.send('other', { text: 'c' })
  await eventually(() => expect(senders).toHaveLength(2))
  expect(new Set(senders).size).toBe(2)
})
