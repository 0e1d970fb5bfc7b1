import { once } from 'node:events'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { parseConfig } from '@junctor/config'
import type { Handler } from '@junctor/exchange'
import { silentLog } from '@junctor/contracts'
import { createMemoryBus, createMemoryFabric, type MemoryBus } from '@junctor/fabric'
import manifest from '../package.json' with { type: 'json' }
import type { JsonObject } from '@junctor/jsonrpc'
import { eventually, replyIn } from '@junctor/testkit'
import { createNode, createWorker, type JunctorNode } from '../src/index.ts'
import { createGreeter } from './greeter.ts'
import type { NodeConfig } from '../src/node-config.ts'

/** Resolves when the tool `wait` may answer. */
let waiting = Promise.withResolvers<void>()

const { plugin: greeter } = createGreeter(() => waiting.promise)

const token = 'a-token-for-tests'
const tenants = { a: { backends: ['ours'] }, b: { backends: ['theirs'] } }
const backends = { ours: { greet: 'hi' }, theirs: { greet: 'hello' } }

function configOf(name: string, more: object): NodeConfig {
  const listen = { http: { port: 0 }, admin: { port: 0, token } }
  const file = { listen, backends, tenants, gatewayTools: true, server: { name, version: '1.0.0' }, ...more }
  const parsed = parseConfig(JSON.stringify(file), { file: 'junctor.json', plugins: [greeter], env: {} })
  if (parsed.kind === 'invalid') throw new Error(JSON.stringify(parsed.problems))
  return parsed.config
}

/** A started node, and how to reach it. */
interface Place {
  readonly node: JunctorNode
  readonly name: string
  readonly url: string
  readonly ask: (path: string) => Promise<Response>
}

let bus: MemoryBus
const open: Pick<JunctorNode, 'close'>[] = []
const warn = vi.fn<typeof silentLog.warn>()

beforeEach(() => {
  bus = createMemoryBus()
  waiting = Promise.withResolvers()
  warn.mockReset()
})
afterEach(async () => {
  await Promise.all(open.splice(0).map((node) => node.close()))
})

async function start(name: string, more: object = {}): Promise<Place> {
  const options = { config: configOf(name, more), log: { ...silentLog, warn } }
  const node = await createNode({ ...options, fabric: createMemoryFabric(bus, name) })
  open.push(node)
  const { http, admin } = await node.listen()
  const ask = (path: string) =>
    fetch(`${admin?.url}${path}`, { headers: { authorization: `Bearer ${token}`, connection: 'close' } })
  return { node, name, url: new URL(http.url).origin, ask }
}

/** Opens a session of a tenant, with a client name that events show. */
async function enter({ url }: Place, tenant: string, client: string) {
  const post = async (message: object, session: Record<string, string>, at = url): Promise<Response> => {
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
    return fetch(`${at}/mcp/${tenant}`, {
      method: 'POST',
      headers: { ...headers, connection: 'close', ...session },
      body: JSON.stringify({ jsonrpc: '2.0', ...message }),
    })
  }
  const clientInfo = { name: client, version: '1' }
  const hello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }
  const opened = await post({ id: 0, method: 'initialize', params: hello }, {})
  await opened.text()
  const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' }
  let ids = 0
  const ask = (method: string, asked: JsonObject, at = url): Promise<Response> =>
    post({ id: ++ids, method, params: asked }, session, at)
  const callAt = (at: string, name: string, args: JsonObject = {}): Promise<Response> =>
    ask('tools/call', { name, arguments: args }, at)
  const call = async (name: string, args?: JsonObject): Promise<string> => {
    const answer = await callAt(url, name, args)
    const { result } = replyIn(await answer.text()) as unknown as { result: { content: [{ text: string }] } }
    return result.content[0].text
  }
  const leave = (): Promise<Response> =>
    fetch(`${url}/mcp/${tenant}`, { method: 'DELETE', headers: { connection: 'close', ...session } })
  return { ask, call, callAt, leave }
}

async function json<Value>(answer: Promise<Response>): Promise<Value> {
  return (await (await answer).json()) as Value
}

interface Status {
  readonly nodes: readonly JsonObject[]
  readonly backends: readonly JsonObject[]
}

describe('the status of several nodes', () => {
  it('lists the nodes, their roles, and the places of each backend', async () => {
    const one = await start('one')
    const two = await start('two', { backends: { ours: { greet: 'hi' } }, tenants: { a: { backends: ['ours'] } } })
    const about = {
      role: 'gateway',
      version: '1.0.0',
      release: manifest.version,
      startedAt: expect.stringMatching(/^\d{4}-.*Z$/),
      policy: expect.stringMatching(/^[\da-f]{12}$/),
    }
    await eventually(async () => {
      const status = await json<Status>(one.ask('/status'))
      expect(status.nodes).toEqual([
        {
          ...about,
          node: 'one',
          self: true,
          name: 'one',
          backends: [
            { name: 'ours', state: 'up', tools: 3 },
            { name: 'theirs', state: 'up', tools: 3 },
          ],
        },
        { ...about, node: 'two', self: false, name: 'two', backends: [expect.objectContaining({ name: 'ours' })] },
      ])
      expect(status.backends).toMatchObject([
        { name: 'ours', nodes: ['one', 'two'] },
        { name: 'theirs', nodes: ['one'] },
      ])
    })
    await two.node.close()
    await eventually(async () => {
      const { nodes, backends: left } = await json<Status>(one.ask('/status'))
      expect(nodes.map(({ node }) => node)).toEqual(['one'])
      expect(left).toMatchObject([{ nodes: ['one'] }, { nodes: ['one'] }])
    })
  })

  it('hides the backends of other tenants from a tenant', async () => {
    const one = await start('one')
    await start('two')
    const { call } = await enter(one, 'a', 'someone')
    await eventually(async () => {
      const status = JSON.parse(await call('gateway_status')) as { nodes: Record<string, JsonObject> }
      expect(status.nodes['two']).toMatchObject({ role: 'gateway', name: 'two', backends: ['ours'] })
      expect(JSON.stringify(status)).not.toContain('theirs')
    })
  })
})

describe('the events of several nodes', () => {
  it('are merged into one answer, within the tenant', async () => {
    const [one, two] = [await start('one'), await start('two')]
    const [here, there] = [await enter(one, 'a', 'ours-here'), await enter(two, 'a', 'ours-there')]
    const foreign = [await enter(one, 'b', 'canary-here'), await enter(two, 'b', 'canary-there')]
    await Promise.all([there.call('ours__hello'), ...foreign.map(({ call }) => call('theirs__hello'))])
    for (const { call } of [here, there]) {
      const text = await call('get_events', { limit: 1000 })
      const events = JSON.parse(text) as readonly JsonObject[]
      const times = events.map(({ timestamp }) => timestamp as string)
      expect(times).toEqual(times.toSorted())
      const clients = events.flatMap(({ client, node }) => (client === undefined ? [] : [[client, node]]))
      expect(clients).toEqual([
        ['ours-here', 'one'],
        ['ours-there', 'two'],
      ])
      expect(events).toContainEqual(expect.objectContaining({ tool: 'ours__hello', status: 'success', node: 'two' }))
      expect(new Set(events.map(({ node }) => node))).toEqual(new Set(['one', 'two']))
      expect(text).not.toMatch(/canary|theirs|"tenant": "b"/)
    }
    // The operator sees the events of all tenants, or of the named tenant.
    const all = await json<readonly JsonObject[]>(one.ask('/events?limit=1000'))
    expect(JSON.stringify(all)).toMatch(/canary-here[^]*canary-there/)
    const ofB = await json<readonly JsonObject[]>(one.ask('/events?tenant=b&event_type=session.opened'))
    expect(ofB.map(({ client, node }) => [client, node])).toEqual([
      ['canary-here', 'one'],
      ['canary-there', 'two'],
    ])
    expect(await json(one.ask('/events?event_type=session.opened&limit=1'))).toMatchObject([{ client: 'canary-there' }])
  })

  it('include those of workers, within the tenant', async () => {
    const runsOn = 'workers'
    const far = {
      backends: { ours: { greet: 'hi', runsOn }, theirs: { greet: 'ho', runsOn } },
      // The nodes use a fabric in memory instead.
      fabric: { nats: { servers: ['nats://127.0.0.1:1'], key: 'k'.repeat(32) } },
    }
    const one = await start('one', far)
    const options = { config: configOf('far', far) }
    const worker = await createWorker({ ...options, fabric: createMemoryFabric(bus, 'far') })
    open.push(worker)
    const [ours, theirs] = [await enter(one, 'a', 'ours'), await enter(one, 'b', 'theirs')]
    const started = { event_type: 'gateway.backend_started', node: 'far' }
    await eventually(async () => {
      expect(await ours.call('ours__hello')).toBe('hi')
      expect(await theirs.call('theirs__hello')).toBe('ho')
      const text = await ours.call('get_events', { limit: 1000 })
      expect(JSON.parse(text)).toContainEqual(expect.objectContaining({ ...started, tenant: 'a', backend: 'ours' }))
      expect(text).not.toMatch(/theirs|"tenant": "b"/)
      const all = await json(one.ask('/events?limit=1000'))
      expect(all).toContainEqual(expect.objectContaining({ ...started, tenant: 'b', backend: 'theirs' }))
    })
  })

  it('exclude those of a node that does not answer, and name that node', async () => {
    const one = await start('one')
    const silent = createMemoryFabric(bus, 'silent')
    const forever: Handler = async (_request, { signal }) => {
      await once(signal, 'abort')
      return { kind: 'error', error: { code: 0, message: 'too late' } }
    }
    await silent.serve('$events', forever)
    // A node of a version without events does not answer either.
    const old = createMemoryFabric(bus, 'old')
    const answer = await one.ask('/events')
    expect(answer.headers.get('junctor-silent-nodes')).toBe('old, silent')
    expect(await answer.json()).toContainEqual(expect.objectContaining({ event_type: 'gateway.started', node: 'one' }))
    expect(warn).toHaveBeenCalledWith('nodes did not return their events', { nodes: ['old', 'silent'] })
    await Promise.all([silent.close(), old.close()])
  })

  it('are those of the only node, unchanged, when there is no other', async () => {
    const one = await start('one')
    const answer = await one.ask('/events')
    expect(answer.headers.has('junctor-silent-nodes')).toBe(false)
    expect(await answer.json()).not.toContainEqual(expect.objectContaining({ node: expect.anything() }))
  })

  it('are refused with the fault of the query', async () => {
    const one = await start('one')
    await start('two')
    const answer = await one.ask('/events?since=soon')
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ message: expect.stringContaining('since') })
  })
})

describe('a node that closes while others use its sessions', () => {
  it('finishes the requests that they have started, and then ends the session', async () => {
    const [one, two] = [await start('one'), await start('two')]
    const { callAt } = await enter(one, 'a', 'someone')
    const answer = callAt(two.url, 'ours__wait')
    await eventually(async () => {
      const events = await json<readonly JsonObject[]>(one.ask('/events?event_type=gateway.tool_call'))
      expect(events).toMatchObject([{ tool: 'ours__wait', status: 'pending', node: 'one' }])
    })
    const closed = one.node.close()
    // The session is still served there while one of its requests is running.
    expect((await callAt(two.url, 'ours__hello')).status).toBe(200)
    waiting.resolve()
    expect(await (await answer).text()).toContain('"text":"hi"')
    await closed
    expect((await callAt(two.url, 'ours__hello')).status).toBe(404)
  })

  it('finishes the jobs that it runs, because they must not be run twice, also when their clients are gone', async () => {
    const one = await start('one')
    const { ask, leave } = await enter(one, 'a', 'someone')
    const accepted = await ask('tools/call', { name: 'ours__wait', arguments: {}, task: {} })
    const { result } = replyIn(await accepted.text()) as unknown as { result: { task: { taskId: string } } }
    const { taskId } = result.task
    await eventually(async () => {
      expect(await json(one.ask('/events?event_type=job.started'))).toHaveLength(1)
    })
    await leave()
    const two = await start('two')
    const closed = one.node.close()
    const later = await enter(two, 'a', 'somebody')
    const collected = later.ask('tasks/result', { taskId })
    waiting.resolve()
    await closed
    expect(await (await collected).text()).toContain('"text":"hi"')
  })
})
