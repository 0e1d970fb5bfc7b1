import type { Control } from '@junctor/contracts'
import { createMemoryBus, createMemoryFabric } from '@junctor/fabric'
import { expect, test } from 'vitest'
import { nodeId } from '../shared/node-id.ts'
import { createSessionRecords } from '../sessions/home/session-records.ts'
import { readSessionControl } from '../sessions/session-control.ts'
import { callNode } from './call-node.ts'
import { nodeContext } from './node-context.ts'
import { nodeRequest } from './node-request.ts'
import { presenceQuestion } from './presence-question.ts'
import { createReliableOutboxes } from './reliable-outboxes.ts'
import { subscribeControls } from './subscribe-controls.ts'

test('the record of a session that is neither a record nor an end counts as an end, and is reported', async () => {
  const reported: unknown[] = []
  const fabric = createMemoryFabric(createMemoryBus())
  const records = createSessionRecords(fabric, Date.now, 60_000, (...about) => void reported.push(about))
  const store = fabric.store('sessions', 60_000)
  await store.put('strange', { home: 1 })
  await store.put('over', { ended: true })
  expect([await records.read('over'), await records.read('none')]).toEqual(['ended', undefined])
  expect(reported).toEqual([])
  expect(await records.read('strange')).toBe('ended')
  expect(reported).toEqual([
    ['session', expect.not.stringContaining('strange'), 'home: Invalid input: expected string, received number'],
  ])
})

test('the readable items of a batch are taken, and the others are reported', async () => {
  const [reported, taken]: [unknown[], unknown[]] = [[], []]
  const bus = createMemoryBus()
  const [fabric, other] = [createMemoryFabric(bus), createMemoryFabric(bus)]
  const host = { nextId: () => nodeId(fabric.node, '1'), now: Date.now, asked() {}, answered() {}, closed() {} }
  const outboxes = createReliableOutboxes<{ readonly text: string }>(
    { fabric, host, isPresent: async () => true, unreadable: (...about) => void reported.push(about) },
    {
      service: '$test',
      data: 'job_frame',
      read: (value) =>
        typeof value === 'string'
          ? { kind: 'read', value: { text: value } }
          : { kind: 'unreadable', problem: 'expected a text' },
      take: ({ text }) => void taken.push(text),
    },
  )
  await outboxes.serve()
  const from = nodeId(other.node, 'outbox')
  const send = async (body: object): Promise<void> => {
    const request = nodeRequest('$test', JSON.parse(JSON.stringify(body)))
    const outcome = await callNode(
      { fabric: other, host },
      { node: fabric.node, request, context: nodeContext, withinMs: 5_000 },
    )
    expect(outcome.kind).toBe('complete')
  }
  await send({ from, number: 1, items: ['a', { no: 'item' }, 'b'] })
  await send({ from: 'nobody', number: 1, items: ['c'] })
  await send({ from, number: 'two', items: [] })
  expect(taken).toEqual(['a', 'b'])
  expect(reported).toEqual([
    ['job_frame', from, 'expected a text'],
    ['job_frame', '$test', 'from: expected an id that names a node'],
    ['job_frame', '$test', 'number: Invalid input: expected number, received string'],
  ])
})

test('control messages that cannot be read, or that no listener knows, are reported; others are handled', async () => {
  const [reported, handled]: [unknown[], unknown[]] = [[], []]
  const bus = createMemoryBus()
  const [fabric, other] = [createMemoryFabric(bus), createMemoryFabric(bus)]
  const listen = (control: Control) => {
    const read = readSessionControl(control)
    if (read.kind === 'read') handled.push(read.value)
    return read
  }
  subscribeControls(fabric, [listen, () => ({ kind: 'other' })], expect.unreachable, (...about) => {
    reported.push(about)
  })
  for (const control of [
    presenceQuestion,
    { kind: 'end', body: { session: 's_1', why: 'of a newer version' } },
    { kind: 'end', body: { session: 7 } },
    { kind: 'end', body: null },
    { kind: 'of-a-newer-version', body: {} },
  ]) {
    // oxlint-disable-next-line no-await-in-loop -- in order
    await other.send(fabric.node, control)
  }
  await expect.poll(() => reported).toHaveLength(3)
  expect(handled).toEqual([{ kind: 'end', session: 's_1' }])
  expect(reported).toEqual([
    ['control', other.node, 'session: Invalid input: expected string, received number'],
    ['control', other.node, 'end: expected an object'],
    ['control', other.node, 'expected a known kind, got of-a-newer-version'],
  ])
})
