import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { emitNothing, type Fabric, silentLog } from '@junctor/contracts'
import { createMemoryFabric } from '@junctor/fabric'
import { payloadOf } from '@junctor/jsonrpc'
import { eventually } from '@junctor/testkit'
import { hostBackend, type NodeAbout, printNodeAbout, remoteBackend } from '../src/index.ts'
import { linkMethods } from '../src/upstream/remote/link-protocol.ts'
import { createTestBackend, type TestBackend } from './support/test-backend.ts'
import { openClient } from './support/test-client.ts'
import { identityOf, startNodes, tenantOf, type TestNodes } from './support/test-nodes.ts'

let nodes: TestNodes | undefined

/** A gateway whose only backend is on workers. */
async function startGateway(through?: (fabric: Fabric) => Fabric) {
  const unopened = createTestBackend()
  const fabrics: Fabric[] = []
  const entryOf = (fabric: Fabric) => ({
    ...unopened.entry,
    backend: remoteBackend(unopened.entry.backend, fabric),
    remote: true as const,
  })
  nodes = await startNodes(
    (fabric) => {
      fabrics.push(fabric)
      return [tenantOf([entryOf(fabric)])]
    },
    {},
    through,
  )
  const front = nodes.gateways[0]?.front
  if (front === undefined) throw new Error('no gateway')
  const client = await openClient(front, identityOf())
  const stream = client.resume()
  const changes = (): number => stream.seen.filter(({ method }) => method === 'notifications/tools/list_changed').length
  const tools = async (): Promise<unknown> => {
    const { result = {} } = await client.request('tools/list').answer()
    return (result['tools'] as { name: string }[]).map(({ name }) => name)
  }
  const callTool = () => client.request('tools/call', { name: 'one__echo', arguments: {} }).answer()
  const subscribe = (uri: string) => client.request('resources/subscribe', { uri }).answer()
  return { changes, tools, callTool, subscribe }
}

/** Delays the outcomes of the calls of a node. */
function withCalls(fabric: Fabric, delay: (...call: Parameters<Fabric['call']>) => Promise<void>): Fabric {
  const place = fabric.call.bind(fabric)
  const call: Fabric['call'] = async (...placed) => {
    const outcome = await place(...placed)
    await delay(...placed)
    return outcome
  }
  return Object.assign(fabric, { call })
}

/** A worker that holds the backend. */
async function startWorker(tool = 'echo') {
  if (nodes === undefined) throw new Error('no gateway')
  const fabric = createMemoryFabric(nodes.bus)
  onTestFinished(() => fabric.close())
  const backend = createTestBackend()
  backend.behaviour.list = async (kind) => {
    if (kind === 'tools') return [payloadOf({ name: tool })]
    return kind === 'resources' ? [payloadOf({ uri: 'file:///a', name: 'a' })] : []
  }
  const parts = { fabric, log: silentLog, emit: emitNothing, unreadable: () => {}, changed: () => undefined }
  const hosted = await hostBackend({ backend: backend.entry.backend, maxLinks: 8 }, parts)
  const about = { role: 'worker', name: 'w', version: '1', startedAt: '' } as const
  const announce = (backends: NodeAbout['backends']): void => fabric.announce(printNodeAbout({ ...about, backends }))
  announce({ one: hosted.about })
  return { backend, hosted, fabric, announce }
}

describe('a backend on workers', () => {
  it('has its tools as soon as the first worker is present, and none when the last has left', async () => {
    const { tools, changes } = await startGateway()
    expect(await tools()).toEqual([])
    // Before the first request, the lists were not known.
    await eventually(() => expect(changes()).toBe(1))
    const worker = await startWorker()
    await eventually(() => expect(changes()).toBe(2))
    expect(await tools()).toEqual(['one__echo'])
    await worker.fabric.close()
    await eventually(() => expect(changes()).toBe(3))
    expect(await tools()).toEqual([])
    await startWorker()
    await eventually(() => expect(changes()).toBe(4))
    expect(await tools()).toEqual(['one__echo'])
  })

  it('continues when one of several workers leaves, without a notification', async () => {
    const { tools, changes, callTool } = await startGateway()
    const first = await startWorker()
    await eventually(() => expect(changes()).toBeGreaterThan(0))
    expect(await tools()).toEqual(['one__echo'])
    const before = changes()
    expect(await callTool()).toHaveProperty('result')
    const second = await startWorker()
    expect(second.backend.links).toHaveLength(0)
    first.announce({})
    await first.hosted.drain()
    await first.fabric.close()
    expect(await callTool()).toHaveProperty('result')
    expect(second.backend.links.length).toBeGreaterThan(0)
    expect(await tools()).toEqual(['one__echo'])
    expect(changes()).toBe(before)
  })

  it('notifies when the remaining workers have other lists', async () => {
    const { tools, changes } = await startGateway()
    const old = await startWorker('old')
    await eventually(() => expect(changes()).toBeGreaterThan(0))
    expect(await tools()).toEqual(['one__old'])
    const before = changes()
    await startWorker('new')
    await old.fabric.close()
    await eventually(() => expect(changes()).toBe(before + 1))
    expect(await tools()).toEqual(['one__new'])
  })

  it('notifies also when it learns later that the link of the worker that has left is gone', async () => {
    const over = Promise.withResolvers<void>()
    let isHeld = false
    const { tools, changes } = await startGateway((fabric) =>
      withCalls(fabric, async ({ service }) => {
        if (isHeld && service === 'one') await over.promise
      }),
    )
    const old = await startWorker('old')
    await eventually(() => expect(changes()).toBeGreaterThan(0))
    expect(await tools()).toEqual(['one__old'])
    const before = changes()
    await startWorker('new')
    isHeld = true
    await old.fabric.close()
    await eventually(() => expect(changes()).toBe(before + 1))
    expect(await tools()).toEqual(['one__new'])
    over.resolve()
  })

  it('keeps no lists of a worker that has left while the gateway itself asked it for the first time', async () => {
    const asked = Promise.withResolvers<void>()
    const left = Promise.withResolvers<void>()
    const { tools, changes } = await startGateway((fabric) =>
      withCalls(fabric, async (_to, { method }, { context }) => {
        if (method !== linkMethods.list || context.session !== undefined) return
        asked.resolve()
        await left.promise
      }),
    )
    const old = await startWorker('old')
    await asked.promise
    expect(await tools()).toEqual(['one__old'])
    const before = changes()
    await startWorker('new')
    await old.fabric.close()
    await turn()
    left.resolve()
    await eventually(() => expect(changes()).toBeGreaterThan(before))
    expect(await tools()).toEqual(['one__new'])
  })

  it('still notifies of subscribed resources, on another worker or on the next one', async () => {
    const { tools, changes, subscribe } = await startGateway()
    const watchers = ({ backend }: { backend: TestBackend }): number =>
      backend.links.flatMap(({ requests }) => requests).filter(({ method }) => method === 'resources/subscribe').length
    const first = await startWorker()
    await eventually(() => expect(changes()).toBeGreaterThan(0))
    expect(await tools()).toEqual(['one__echo'])
    expect(await subscribe('one+file:///a')).toHaveProperty('result')
    expect(watchers(first)).toBe(1)
    const second = await startWorker()
    await first.fabric.close()
    await eventually(() => expect(watchers(second)).toBe(1))
    await second.fabric.close()
    const third = await startWorker()
    await eventually(() => expect(watchers(third)).toBe(1))
  })

  it('is not crash-looping when its workers leave in turn, and loses no call of a retrying client', async () => {
    const { tools, changes, callTool } = await startGateway()
    let worker = await startWorker()
    await eventually(() => expect(changes()).toBeGreaterThan(0))
    expect(await tools()).toEqual(['one__echo'])
    for (let restart = 0; restart < 6; restart++) {
      const next = await startWorker()
      await worker.fabric.close()
      worker = next
      const { error } = await callTool()
      const { data = { reason: 'backend_unavailable', retryable: true } } = error ?? {}
      expect(data).toMatchObject({ reason: 'backend_unavailable', retryable: true })
      expect(await callTool()).toHaveProperty('result')
    }
    expect(nodes?.gateways[0]?.gauges().backends[0]).toMatchObject({ state: 'up', error: undefined })
  })
})
