import type { Log } from '@junctor/contracts'
import { silentLog } from '@junctor/contracts'
import { createMemoryBus, createMemoryFabric } from '@junctor/fabric'
import { expect, test } from 'vitest'
import { nodeContext } from '../nodes/node-context.ts'
import { createReliableOutboxes } from '../nodes/reliable-outboxes.ts'
import { askNode } from '../nodes/ask-node.ts'
import { createSessionRecords } from '../sessions/session-records.ts'
import { nodeId } from './node-id.ts'
import { createUnreadable } from './unreadable.ts'

test('each kind is logged the first time, then once a minute with what came since', () => {
  const lines: unknown[] = []
  const log: Log = { ...silentLog, warn: (_message, about) => void lines.push(about) }
  let now = 0
  const unreadable = createUnreadable(log, () => now)
  for (const key of ['a', 'b', 'c']) unreadable('sessions', key)
  unreadable('$deliver', 'd')
  now = 60_000
  unreadable('sessions', 'e')
  expect(lines).toEqual([
    { kind: 'sessions', key: 'a', count: 1 },
    { kind: '$deliver', key: 'd', count: 1 },
    { kind: 'sessions', key: 'e', count: 3 },
  ])
})

test('the record of a session that is neither a record nor an end counts as an end, and is told of', async () => {
  const told: unknown[] = []
  const fabric = createMemoryFabric(createMemoryBus())
  const records = createSessionRecords(fabric, Date.now, 60_000, (...about) => void told.push(about))
  const store = fabric.store('sessions', 60_000)
  await store.put('strange', { home: 1 })
  await store.put('over', { ended: true })
  expect([await records.read('over'), await records.read('none')]).toEqual(['ended', undefined])
  expect(told).toEqual([])
  expect(await records.read('strange')).toBe('ended')
  expect(told).toEqual([['sessions', expect.not.stringContaining('strange')]])
})

test('of a batch, what can be read is taken, and what cannot is told of', async () => {
  const [told, taken]: [unknown[], unknown[]] = [[], []]
  const bus = createMemoryBus()
  const [fabric, other] = [createMemoryFabric(bus), createMemoryFabric(bus)]
  const host = { nextId: () => nodeId(fabric.node, '1'), now: Date.now, asked() {}, answered() {}, closed() {} }
  const outboxes = createReliableOutboxes<{ readonly text: string }>(
    { fabric, host, isThere: async () => true, unreadable: (...about) => void told.push(about) },
    {
      service: '$test',
      read: (value) => (typeof value === 'string' ? { text: value } : undefined),
      take: ({ text }) => void taken.push(text),
    },
  )
  await outboxes.serve()
  const from = nodeId(other.node, 'outbox')
  const send = (body: object) =>
    askNode(
      { fabric: other, host },
      {
        node: fabric.node,
        service: '$test',
        context: nodeContext,
        body: JSON.parse(JSON.stringify(body)),
        withinMs: 5_000,
      },
    )
  await send({ from, number: 1, items: ['a', { no: 'item' }, 'b'] })
  await send({ from: 'nobody', number: 1, items: ['c'] })
  await send({ from, number: 'two', items: [] })
  expect(taken).toEqual(['a', 'b'])
  expect(told).toEqual([
    ['$test', from],
    ['$test', 'nobody'],
    ['$test', from],
  ])
})
