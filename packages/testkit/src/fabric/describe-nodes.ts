import { isDeepStrictEqual } from 'node:util'
import type { Control, Fabric, NodeChange } from '@junctor/contracts'
import { expect, test } from 'vitest'
import { type CreateFabrics, pairForEachTest } from './fabric-pair.ts'
import { eventually } from '../eventually.ts'

interface ReceivedControl {
  readonly control: Control
  readonly from: string
}

function listenTo(fabric: Fabric): readonly ReceivedControl[] {
  const received: ReceivedControl[] = []
  fabric.onControl((control, from) => received.push({ control, from }))
  return received
}

interface NodesSeen {
  readonly changes: readonly NodeChange[]
  readonly reading: Promise<void>
  /** The last report about a node. */
  about(node: string): unknown
}

function watchNodes(fabric: Fabric, signal: AbortSignal): NodesSeen {
  const changes: NodeChange[] = []
  const read = async (): Promise<void> => {
    for await (const change of fabric.nodes(signal)) changes.push(change)
  }
  return {
    changes,
    reading: read(),
    about(node) {
      const last = changes.findLast((change) => change.node === node)
      return last === undefined || last.kind === 'left' ? undefined : last.about
    },
  }
}

/** The tests of membership: the names of nodes, those that join and leave, and the controls between them. */
export function describeFabricNodes(create: CreateFabrics): void {
  const pair = pairForEachTest(create)

  test('nodes have names that can be part of an id, each a different one', () => {
    expect(pair.near.node).toMatch(/^[a-z0-9]{1,64}$/)
    expect(pair.far.node).toMatch(/^[a-z0-9]{1,64}$/)
    expect(pair.near.node).not.toBe(pair.far.node)
  })

  test('a node sees all nodes, itself included, and those that leave', async () => {
    const controller = new AbortController()
    const { changes, reading } = watchNodes(pair.near, controller.signal)
    await eventually(() => expect(changes).toHaveLength(2))
    const names = changes.map((change) => change.node)
    expect(changes.every((change) => change.kind === 'joined')).toBe(true)
    expect(names.toSorted()).toEqual([pair.near.node, pair.far.node].toSorted())
    await pair.far.close()
    await eventually(() => expect(changes[2]).toEqual({ kind: 'left', node: pair.far.node }))
    controller.abort()
    await reading
  })

  test('an announcement reaches early and late watchers, and each of them once', async () => {
    const controller = new AbortController()
    const about = { role: 'worker', backends: ['search'] }
    pair.far.announce({ role: 'worker', backends: [] })
    const early = watchNodes(pair.near, controller.signal)
    await eventually(() => expect(early.about(pair.far.node)).toEqual({ role: 'worker', backends: [] }))
    pair.far.announce(about)
    pair.far.announce({ ...about })
    await eventually(() => expect(early.about(pair.far.node)).toEqual(about))
    const late = watchNodes(pair.near, controller.signal)
    const own = watchNodes(pair.far, controller.signal)
    await eventually(() => expect([late.about(pair.far.node), own.about(pair.far.node)]).toEqual([about, about]))
    expect(late.changes.every(({ kind }) => kind === 'joined')).toBe(true)
    expect(late.about(pair.near.node)).toEqual({})
    pair.near.announce({ role: 'gateway' })
    await eventually(() => expect(own.about(pair.near.node)).toEqual({ role: 'gateway' }))
    const announced = early.changes.filter(({ node, kind }) => node === pair.far.node && kind === 'changed')
    expect(
      announced.filter((change) => change.kind === 'changed' && isDeepStrictEqual(change.about, about)),
    ).toHaveLength(1)
    controller.abort()
    await Promise.all([early.reading, late.reading, own.reading])
  })

  test('a watcher whose signal has already aborted sees nothing', async () => {
    const { changes, reading } = watchNodes(pair.near, AbortSignal.abort())
    await reading
    expect(changes).toEqual([])
  })

  test('controls to a node reach only that node, in order', async () => {
    const [nearReceived, farReceived] = [listenTo(pair.near), listenTo(pair.far)]
    for (let n = 0; n < 100; n += 1) {
      expect(await pair.near.send(pair.far.node, { kind: 'count', body: n })).toBe(true)
    }
    await eventually(() => expect(farReceived).toHaveLength(100))
    expect(farReceived.map(({ control }) => control.body)).toEqual(Array.from({ length: 100 }, (_, n) => n))
    expect(farReceived[0]).toEqual({ control: { kind: 'count', body: 0 }, from: pair.near.node })
    expect(nearReceived).toEqual([])
  })

  test('controls that are sent without waiting keep their order too', async () => {
    const received = listenTo(pair.far)
    await Promise.all(
      Array.from({ length: 100 }, (_, n) =>
        pair.near.send(n % 2 === 0 ? 'all' : pair.far.node, { kind: 'k', body: n }),
      ),
    )
    await eventually(() => expect(received).toHaveLength(100))
    expect(received.map(({ control }) => control.body)).toEqual(Array.from({ length: 100 }, (_, n) => n))
  })

  test('controls to all nodes reach the others, not the sender', async () => {
    const [nearReceived, farReceived] = [listenTo(pair.near), listenTo(pair.far)]
    expect(await pair.near.send('all', { kind: 'hello', body: { to: 'all' } })).toBe(true)
    await pair.far.send(pair.near.node, { kind: 'marker', body: null })
    await eventually(() => expect([nearReceived.length, farReceived.length]).toEqual([1, 1]))
    expect(farReceived[0]?.control).toEqual({ kind: 'hello', body: { to: 'all' } })
    expect(nearReceived[0]?.control.kind).toBe('marker')
  })

  test('a node can send to itself, and receives the control in a later turn', async () => {
    const received = listenTo(pair.near)
    const sent = pair.near.send(pair.near.node, { kind: 'note', body: 1 })
    expect(received).toEqual([])
    expect(await sent).toBe(true)
    await eventually(() => expect(received).toHaveLength(1))
  })

  test('the sender learns that a node does not exist', async () => {
    expect(await pair.near.send('nobody00', { kind: 'k', body: null })).toBe(false)
  })

  test('nodes share values, never objects', async () => {
    const body = { list: ['sent'] }
    const received: string[][] = []
    pair.far.onControl((control) => {
      const { list } = control.body as { list: string[] }
      list.push('received')
      received.push(list)
    })
    const sent = pair.near.send(pair.far.node, { kind: 'k', body })
    body.list.push('kept')
    await sent
    await eventually(() => expect(received).toEqual([['sent', 'received']]))
    expect(body.list).toEqual(['sent', 'kept'])
  })

  test('a handler that throws does not prevent the calls of the others', async () => {
    pair.far.onControl(() => {
      throw new Error('a fault')
    })
    const received = listenTo(pair.far)
    await pair.near.send(pair.far.node, { kind: 'k', body: 1 })
    await pair.near.send(pair.far.node, { kind: 'k', body: 2 })
    await eventually(() => expect(received).toHaveLength(2))
  })

  test('a handler that was closed receives nothing more', async () => {
    const received: Control[] = []
    const closer = pair.far.onControl((control) => received.push(control))
    const others = listenTo(pair.far)
    await closer.close()
    await closer.close()
    await pair.near.send(pair.far.node, { kind: 'k', body: 1 })
    await eventually(() => expect(others).toHaveLength(1))
    expect(received).toEqual([])
  })
}
