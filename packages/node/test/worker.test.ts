import { afterEach, assert, describe, expect, it, vi } from 'vitest'
import { parseConfig } from '@junctor/config'
import { createMemoryBus, createMemoryFabric } from '@junctor/fabric'
import { eventually } from '@junctor/testkit'
import { createNode, createWorker, type JunctorNode, type JunctorWorker, type NodeStatus } from '../src/index.ts'
import { createGreeter } from './greeter.ts'
import type { NodeConfig } from '../src/node-config.ts'

/** The number of calls that wait for `release`. */
let waits = 0
let release = Promise.withResolvers<void>()

const { plugin: greeter, made } = createGreeter(async () => {
  waits += 1
  await release.promise
  waits -= 1
})

const nats = { servers: ['nats://localhost:4222'], key: 'k'.repeat(32) }
const token = 'a-token-for-tests'

function parsedOf(more: object) {
  const listen = { http: { port: 0 }, admin: { port: 0, token } }
  const file = { listen, fabric: { nats }, limits: { grace: '1s' }, ...more }
  return parseConfig(JSON.stringify(file), { file: 'junctor.json', plugins: [greeter], env: {} })
}

function configOf(more: object): NodeConfig {
  const parsed = parsedOf(more)
  if (parsed.kind === 'invalid') throw new Error(JSON.stringify(parsed.problems))
  return parsed.config
}

const open: (JunctorNode | JunctorWorker)[] = []
let bus = createMemoryBus()

afterEach(async () => {
  release.resolve()
  await Promise.all(open.splice(0).map((node) => node.close()))
  assert.equal(bus.calls.size, 0)
  assert.deepEqual(
    [...made.values()].filter((count) => count !== 0),
    [],
  )
  made.clear()
  bus = createMemoryBus()
  release = Promise.withResolvers()
})

const backends = { far: { greet: 'from afar', runsOn: 'workers' }, near: { greet: 'from here' } }

async function startWorker(greet = 'from afar', more: object = {}): Promise<JunctorWorker> {
  const config = configOf({ backends: { ...backends, far: { ...backends.far, greet } } })
  const worker = await createWorker({ config, fabric: createMemoryFabric(bus), ...more })
  open.push(worker)
  return worker
}

/** The parts of an answer that the tests read. */
interface Answer {
  readonly result?: {
    readonly tools?: readonly { readonly name: string }[]
    readonly content?: readonly { readonly text: string }[]
  }
  readonly error?: { readonly data?: { readonly reason?: string } }
}

/** Starts a gateway, and a client of it. */
async function startGateway() {
  const config = configOf({ backends, server: { name: 'front', version: '1.0.0' } })
  const node = await createNode({ config, fabric: createMemoryFabric(bus) })
  open.push(node)
  const { http, admin } = await node.listen()
  const headers = { 'content-type': 'application/json', accept: 'application/json', connection: 'close' }
  const post = (message: object, session: Record<string, string> = {}): Promise<Response> =>
    fetch(http.url, {
      method: 'POST',
      headers: { ...headers, accept: 'application/json, text/event-stream', ...session },
      body: JSON.stringify({ jsonrpc: '2.0', ...message }),
    })
  const clientInfo = { name: 'test', version: '1' }
  const opened = await post({
    id: 0,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo },
  })
  const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' }
  await opened.text()
  let ids = 0
  const request = async (method: string, params: object = {}): Promise<Answer> => {
    ids += 1
    const response = await post({ id: ids, method, params }, session)
    const text = await response.text()
    return JSON.parse(text.startsWith('{') ? text : (text.split('data: ').at(-1) ?? '')) as Answer
  }
  const call = async (name: string): Promise<unknown> => {
    const { result, error } = await request('tools/call', { name, arguments: {} })
    return result?.content?.[0]?.text ?? error?.data?.reason
  }
  const tools = async () => (await request('tools/list')).result?.tools?.map(({ name }) => name)
  const status = async (): Promise<NodeStatus> => {
    const response = await fetch(`${admin?.url}/status`, {
      headers: { authorization: `Bearer ${token}`, connection: 'close' },
    })
    return (await response.json()) as NodeStatus
  }
  return { call, tools, status }
}

describe('a worker', () => {
  it('holds the backends that run on workers, and a gateway reaches them there', async () => {
    const worker = await startWorker()
    expect(worker.backends).toEqual(['far'])
    const { call, tools, status } = await startGateway()
    await eventually(async () =>
      expect(await tools()).toEqual([
        'far__hello',
        'far__wait',
        'far__read',
        'near__hello',
        'near__wait',
        'near__read',
      ]),
    )
    expect(await call('far__hello')).toBe('from afar')
    expect(await call('near__hello')).toBe('from here')
    await eventually(async () => {
      const { nodes, backends: listed } = await status()
      expect(listed.find(({ name }) => name === 'far')?.nodes).toEqual([worker.node])
      expect(nodes.find(({ role }) => role === 'worker')?.backends).toEqual([{ name: 'far', state: 'up', tools: 3 }])
    })
  })

  it('reports on its admin port whether it is ready, and its backends', async () => {
    const worker = await startWorker()
    const admin = await worker.listenAdmin()
    const ask = (path: string) =>
      fetch(`${admin?.url}${path}`, { headers: { authorization: `Bearer ${token}`, connection: 'close' } })
    expect((await ask('/readyz')).status).toBe(200)
    const status = (await (await ask('/status')).json()) as { backends: unknown[] }
    expect(status.backends).toEqual([
      { name: 'far', state: 'starting', tools: 0, links: 0, inFlight: 0, warnings: [], nodes: [worker.node] },
    ])
    expect(await (await ask('/metrics')).text()).toContain('backend="far"')
  })

  it('waits for calls in progress before it leaves', async () => {
    const [first, second] = [await startWorker('one'), await startWorker('two')]
    const { call } = await startGateway()
    await eventually(async () => expect(await call('far__hello')).toMatch(/one|two/))
    const holder = (await call('far__hello')) === 'one' ? first : second
    const waiting = call('far__wait')
    const other = holder === first ? 'two' : 'one'
    await eventually(() => expect(waits).toBe(1))
    const closing = holder.close()
    await eventually(async () => expect(await call('far__hello')).toBe(other))
    release.resolve()
    expect(await waiting).toBe(holder === first ? 'one' : 'two')
    await closing
    expect(await call('far__hello')).toBe(other)
  })

  it('leaves after the grace period, regardless of calls in progress', async () => {
    const worker = await startWorker()
    const { call } = await startGateway()
    await eventually(async () => expect(await call('far__hello')).toBe('from afar'))
    const waiting = call('far__wait')
    await eventually(() => expect(waits).toBe(1))
    await worker.close()
    expect(await waiting).toBe('backend_exited')
  })

  it('is replaced by another one for a call that may run twice, when it leaves in the middle', async () => {
    const [first, second] = [await startWorker('one'), await startWorker('two')]
    const { call } = await startGateway()
    await eventually(async () => expect(await call('far__hello')).toMatch(/one|two/))
    const [holder, other] = (await call('far__hello')) === 'one' ? [first, 'two'] : [second, 'one']
    const reading = call('far__read')
    await eventually(() => expect(waits).toBe(1))
    const closing = holder.close()
    await eventually(() => expect(waits).toBe(2))
    release.resolve()
    expect(await reading).toBe(other)
    await closing
  })

  it('applies a new configuration, or keeps the previous one', async () => {
    const worker = await startWorker()
    const { call } = await startGateway()
    await eventually(async () => expect(await call('far__hello')).toBe('from afar'))
    expect(await worker.reload(parsedOf({ backends: { near: { greet: 'x' } } }))).toMatchObject({ kind: 'refused' })
    expect(await call('far__hello')).toBe('from afar')
    const far = { greet: 'from elsewhere', runsOn: 'workers' }
    expect(await worker.reload(parsedOf({ backends: { far } }))).toMatchObject({ kind: 'taken' })
    await eventually(async () => expect(await call('far__hello')).toBe('from elsewhere'))
    // The gateway also creates the backend, but never opens it.
    await eventually(() => expect(made.get('from afar')).toBe(1))
  })

  it('keeps its backends when it cannot hold all backends of a new configuration', async () => {
    const fabric = createMemoryFabric(bus)
    const worker = await startWorker('from afar', { fabric })
    const { call } = await startGateway()
    await eventually(async () => expect(await call('far__hello')).toBe('from afar'))
    const held = {
      far: { greet: 'from elsewhere', runsOn: 'workers' },
      further: { greet: 'from the moon', runsOn: 'workers' },
    }
    const serve = fabric.serve.bind(fabric)
    const serving = vi.spyOn(fabric, 'serve').mockImplementation(async (service, handler) => {
      if (service === 'further') throw new Error('there is no room for another service')
      return serve(service, handler)
    })
    const reloaded = await worker.reload(parsedOf({ backends: held }))
    expect(reloaded).toMatchObject({ kind: 'refused', message: 'there is no room for another service' })
    expect(worker.backends).toEqual(['far'])
    expect([made.get('from elsewhere'), made.get('from the moon')]).toEqual([0, 0])
    expect(await call('far__hello')).toBe('from afar')
    // Calls are distributed in turn, so equal picks mean that there is only one holder.
    expect(bus.services.pick({ service: 'far' })).toBe(bus.services.pick({ service: 'far' }))
    serving.mockRestore()
    expect(await worker.reload(parsedOf({ backends: held }))).toMatchObject({ kind: 'taken' })
    await eventually(async () => expect(await call('far__hello')).toBe('from elsewhere'))
  })

  it('holds nothing of a configuration that it reads while it leaves', async () => {
    const fabric = createMemoryFabric(bus)
    const worker = await startWorker('from afar', { fabric })
    const { call } = await startGateway()
    await eventually(async () => expect(await call('far__hello')).toBe('from afar'))
    const waiting = call('far__wait')
    await eventually(() => expect(waits).toBe(1))
    const serve = fabric.serve.bind(fabric)
    const [asked, left] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    vi.spyOn(fabric, 'serve').mockImplementation(async (service, handler) => {
      asked.resolve()
      await left.promise
      return serve(service, handler)
    })
    const further = { greet: 'from the moon', runsOn: 'workers' }
    const reloading = worker.reload(parsedOf({ backends: { far: backends.far, further } }))
    await asked.promise
    const closing = worker.close()
    await eventually(() => expect(worker.backends).toEqual([]))
    left.resolve()
    await reloading
    expect(worker.backends).toEqual([])
    expect(['far', 'further'].map((service) => bus.services.pick({ service }))).toEqual([undefined, undefined])
    release.resolve()
    expect(await waiting).toBe('from afar')
    await closing
  })

  it.each<[string, object, readonly string[] | undefined, string]>([
    ['no backend that runs on workers', { near: backends.near }, undefined, 'got none'],
    ['a backend that runs on gateways', backends, ['near'], '"near", which runs on gateways'],
    ['an unknown backend', backends, ['nope'], '"nope", which is not in the configuration'],
  ])('is not created with %s', async (_name, held, names, message) => {
    const config = configOf({ backends: held })
    const making = createWorker({ config, backends: names, fabric: createMemoryFabric(bus) })
    await expect(making).rejects.toThrow(message)
    await expect(making).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
  })

  it('is not created where no gateway can reach it', async () => {
    const config: NodeConfig = { ...configOf({ backends }), fabric: 'memory' }
    const making = createWorker({ config })
    await expect(making).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
  })
})
