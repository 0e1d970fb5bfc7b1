import { emitNothing, type Link, silentLog } from '@junctor/contracts'
import { createMemoryBus, createMemoryFabric } from '@junctor/fabric'
import { type JsonObject, payloadFromText, payloadOf, printPayload } from '@junctor/jsonrpc'
import { createRequest, describeBackend, eventually, recordClient, recordExchange } from '@junctor/testkit'
import { assert, describe, expect, it, onTestFinished } from 'vitest'
import { hostBackend, type HostedBackend } from '../src/upstream/remote/host-backend.ts'
import { remoteBackend } from '../src/upstream/remote/remote-backend.ts'
import { contractTools, createContractBackend } from './support/contract-backend.ts'
import { createTestBackend, sessionScope, type TestBackend } from './support/test-backend.ts'

describeBackend('a backend on another node', contractTools, async () => {
  const bus = createMemoryBus()
  const [worker, gateway] = [createMemoryFabric(bus), createMemoryFabric(bus)]
  const backend = createContractBackend()
  const parts = { fabric: worker, log: silentLog, emit: emitNothing, unreadable: () => {}, changed: () => undefined }
  const hosted = await hostBackend({ backend, maxLinks: 16 }, parts)
  return {
    backend: remoteBackend(createContractBackend(), gateway),
    async dispose() {
      await eventually(() => assert.equal(hosted.health.links, 0))
      await hosted.close()
      await Promise.all([worker.close(), gateway.close()])
      await backend.close()
    },
  }
})

/** A gateway that reaches a backend through workers, each with its own instance. */
async function setUp(workers = 1, maxLinks = 4) {
  const bus = createMemoryBus()
  const gateway = createMemoryFabric(bus)
  const fabrics = Array.from({ length: workers }, () => createMemoryFabric(bus))
  const backends: readonly TestBackend[] = fabrics.map(() => createTestBackend())
  const changes: string[] = []
  const hosts: HostedBackend[] = []
  for (const [index, fabric] of fabrics.entries()) {
    const changed = (): void => void changes.push(fabric.node)
    const { entry } = backends[index] as TestBackend
    const parts = { fabric, log: silentLog, emit: emitNothing, unreadable: () => {}, changed }
    hosts.push(await hostBackend({ backend: entry.backend, maxLinks }, parts))
  }
  const remote = remoteBackend(createTestBackend().entry.backend, gateway)
  const client = recordClient()
  const open = (session = 's_test', signal = new AbortController().signal): Promise<Link> =>
    remote.open(sessionScope(session), client, signal)
  onTestFinished(async () => {
    await Promise.all([gateway, ...fabrics].map((fabric) => fabric.close()))
    expect(bus.calls.size).toBe(0)
  })
  return { gateway, fabrics, backends, hosts, changes, remote, client, open }
}

const call = async (link: Link, params: JsonObject = {}) =>
  link.call(createRequest('tools/call', params), recordExchange().exchange)

describe('a link that another node holds', () => {
  it('is opened for the requested scope, and its client receives notifications and answers questions', async () => {
    const { open, backends, client } = await setUp()
    const link = await open('s_own')
    const [held] = backends[0]?.open ?? []
    expect(held?.scope).toEqual(sessionScope('s_own'))
    expect(held?.client.context).toEqual(client.context)
    expect(link.server).toEqual(held?.server)
    held?.client.notify({ method: 'notifications/tools/list_changed', params: undefined })
    const answer = await held?.client.ask({ method: 'roots/list', params: undefined })
    expect(client.notifications.map(({ method }) => method)).toEqual(['notifications/tools/list_changed'])
    expect(client.asked.map(({ method }) => method)).toEqual(['roots/list'])
    expect(answer).toMatchObject({ error: { code: -32601 } })
  })

  it('passes params, results and items with their exact text', async () => {
    const { open, backends } = await setUp()
    const { behaviour } = backends[0] as TestBackend
    const text = '{"x-new":[1.0,-0],"n":9007199254740993}'
    behaviour.list = async () => [payloadFromText(text), payloadOf({ name: 'second' })]
    behaviour.call = ({ params }) => ({ kind: 'complete', result: params ?? payloadOf(null) })
    const link = await open()
    const request = { ...createRequest('tools/call'), params: payloadFromText(text) }
    const outcome = await link.call(request, recordExchange().exchange)
    expect(outcome.kind === 'complete' && printPayload(outcome.result)).toBe(text)
    const listed = await link.list('tools', new AbortController().signal)
    expect(listed.map(printPayload)).toEqual([text, '{"name":"second"}'])
  })

  it('delivers notifications to the link, and no request of a client can use the methods of nodes', async () => {
    const { open, backends } = await setUp()
    const { behaviour } = backends[0] as TestBackend
    const link = await open()
    link.notify({ method: 'notifications/roots/list_changed', params: undefined })
    link.notify({ method: 'x/y', params: payloadFromText('{"n":1.0}') })
    await eventually(() => expect(backends[0]?.links[0]?.notifications).toHaveLength(2))
    const [first, second] = backends[0]?.links[0]?.notifications ?? []
    expect(first).toEqual({ method: 'notifications/roots/list_changed', params: undefined })
    expect(second?.params?.text).toBe('{"n":1.0}')
    behaviour.call = (request) => ({ kind: 'complete', result: payloadOf({ method: request.method }) })
    for (const method of ['close', 'leave', 'notify', 'list', 'open']) {
      const outcome = await link.call(createRequest(method), recordExchange().exchange)
      expect(outcome.kind === 'complete' && outcome.result.value()).toEqual({ method })
    }
    expect(backends[0]?.open).toHaveLength(1)
  })

  it('reports why a backend could not be opened, why a link broke, and why a list failed', async () => {
    const { open, backends, hosts } = await setUp()
    const { behaviour } = backends[0] as TestBackend
    behaviour.opening = () => Promise.reject(new Error('no such program'))
    await expect(open()).rejects.toThrow('no such program')
    expect(hosts[0]?.about).toEqual({ state: 'down', tools: 0 })
    behaviour.opening = async () => {}
    behaviour.list = () => Promise.reject(new Error('lists nothing'))
    const link = await open()
    await expect(link.list('tools', new AbortController().signal)).rejects.toThrow('lists nothing')
    backends[0]?.open[0]?.break(new Error('exit code 1'))
    expect((await link.closed)?.message).toBe('exit code 1')
    expect(await call(link)).toMatchObject({ kind: 'error' })
  })

  it('counts as broken when a faulty plugin rejects in place of closing, and its services end', async () => {
    const { open, backends, hosts } = await setUp()
    const link = await open()
    backends[0]?.open[0]?.break(Promise.reject(new Error('faulty')) as never)
    expect((await link.closed)?.message).toBe('faulty')
    expect(dataOf(await call(link))).toMatchObject({ reason: 'backend_unavailable' })
    await hosts[0]?.drain()
    expect(hosts[0]?.health.links).toBe(0)
  })

  it('closes on the node that holds it before it counts as closed', async () => {
    const { open, backends } = await setUp()
    const asked = Promise.withResolvers<void>()
    const closed = Promise.withResolvers<void>()
    const { behaviour } = backends[0] as TestBackend
    behaviour.closing = () => {
      asked.resolve()
      return closed.promise
    }
    const link = await open()
    let done = false
    const close = link.close().then(() => (done = true))
    await asked.promise
    expect(done).toBe(false)
    closed.resolve()
    await close
    expect(backends[0]?.open).toHaveLength(0)
    expect(await link.closed).toBeUndefined()
  })

  it('is closed when the node that uses it leaves', async () => {
    const { open, backends, gateway, hosts } = await setUp()
    const link = await open()
    await gateway.close()
    expect(await link.closed).toMatchObject({ code: 'NODE_LEFT' })
    await eventually(() => expect(backends[0]?.open).toHaveLength(0))
    expect(hosts[0]?.health.links).toBe(0)
  })

  it('is lost with its node: its running calls fail, new ones are not run, the next link opens elsewhere', async () => {
    const { open, backends, fabrics } = await setUp(2)
    for (const { behaviour } of backends) behaviour.call = () => new Promise(() => undefined)
    const link = await open()
    const first = backends.findIndex(({ links }) => links.length === 1)
    const underWay = call(link)
    await eventually(() => expect(backends[first]?.links[0]?.requests).toHaveLength(1))
    await fabrics[first]?.close()
    expect(dataOf(await underWay)).toMatchObject({ reason: 'backend_exited', backend: 'one' })
    expect(await link.closed).toMatchObject({ code: 'NODE_LEFT' })
    expect(dataOf(await call(link))).toMatchObject({ reason: 'backend_unavailable', backend: 'one', retryable: true })
    await open()
    expect(backends[1 - first]?.open).toHaveLength(1)
  })

  it('is not opened when no node is present, or when it is no longer needed', async () => {
    const { open, hosts, backends } = await setUp()
    const wanted = new AbortController()
    const { behaviour } = backends[0] as TestBackend
    const stopped = Promise.withResolvers<void>()
    behaviour.opening = (signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          stopped.resolve()
          reject(new Error('not wanted'))
        })
        wanted.abort(new Error('not wanted'))
      })
    await expect(open('s_test', wanted.signal)).rejects.toThrow('not wanted')
    await stopped.promise
    expect(hosts[0]?.about.state).toBe('starting')
    await hosts[0]?.close()
    await expect(open()).rejects.toMatchObject({ code: 'BACKEND_UNREACHABLE' })
  })
})

describe('a node that holds links', () => {
  it('opens no more than its limit, and other nodes are asked instead', async () => {
    const { open, backends } = await setUp(2, 2)
    await Promise.all([open('s_1'), open('s_2'), open('s_3'), open('s_4')])
    expect(backends.map((backend) => backend.open.length)).toEqual([2, 2])
    await expect(open('s_5')).rejects.toMatchObject({ code: 'LIMIT_REACHED' })
  })

  it('reports the state of its backend', async () => {
    const { open, hosts, changes } = await setUp()
    expect(hosts[0]?.about).toEqual({ state: 'starting', tools: 0 })
    const link = await open()
    await link.list('tools', new AbortController().signal)
    await link.list('tools', new AbortController().signal)
    expect(hosts[0]?.about).toEqual({ state: 'up', tools: 1 })
    expect(hosts[0]?.health).toMatchObject({ name: 'one', state: 'up', links: 1, inFlight: 0 })
    expect(changes).toHaveLength(2)
  })

  it('drains: running calls end normally, new ones go to other nodes', async () => {
    const { open, backends, hosts } = await setUp(2)
    const answered = Promise.withResolvers<void>()
    for (const { behaviour } of backends) {
      behaviour.call = async () => {
        await answered.promise
        return { kind: 'complete', result: payloadOf('well') }
      }
    }
    const link = await open()
    const first = backends.findIndex(({ links }) => links.length === 1)
    const underWay = call(link)
    await eventually(() => expect(hosts[first]?.health.inFlight).toBe(1))
    let drained = false
    const draining = hosts[first]?.drain().then(() => (drained = true))
    expect(await link.closed).toMatchObject({ code: 'NODE_LEFT' })
    expect(dataOf(await call(link))).toMatchObject({ reason: 'backend_unavailable', retryable: true })
    const next = await open()
    expect(backends.map((backend) => backend.open.length)).toEqual([1, 1])
    expect(drained).toBe(false)
    answered.resolve()
    expect(await underWay).toMatchObject({ kind: 'complete' })
    await draining
    expect(backends[first]?.open).toHaveLength(0)
    expect(await call(next)).toMatchObject({ kind: 'complete' })
  })

  it('closes immediately, also with running calls', async () => {
    const { open, backends, hosts } = await setUp()
    const { behaviour } = backends[0] as TestBackend
    behaviour.call = (_request, exchange) =>
      new Promise((resolve) =>
        exchange.onEnd({ ended: () => resolve({ kind: 'error', error: { code: -32000, message: 'ended' } }) }),
      )
    const link = await open()
    void call(link)
    await eventually(() => expect(hosts[0]?.health.inFlight).toBe(1))
    await hosts[0]?.close()
    expect(backends[0]?.open).toHaveLength(0)
    expect(await link.closed).toMatchObject({ code: 'NODE_LEFT' })
  })
})

function dataOf(outcome: Awaited<ReturnType<typeof call>>): unknown {
  return outcome.kind === 'error' ? outcome.error.data?.value() : outcome
}
