import { describe, expect, it, onTestFinished } from 'vitest'
import type { Exchange, Outcome, Sink } from '@junctor/exchange'
import type { Fabric, Front, Queue } from '@junctor/contracts'
import { createMemoryFabric } from '@junctor/fabric'
import { type JsonObject, type JsonValue, type Notification, payloadOf } from '@junctor/jsonrpc'
import { eventually } from '@junctor/testkit'
import { post } from './support/json-client.ts'
import { createTestBackend } from './support/test-backend.ts'
import { openClient, type TestClient } from './support/test-client.ts'
import { identityOf, startNodes, tenantOf } from './support/test-nodes.ts'

const tools = [
  { name: 'passes' },
  { name: 'reads', annotations: { readOnlyHint: true } },
  { name: 'sets', annotations: { idempotentHint: true } },
  { name: 'adds', annotations: { readOnlyHint: false } },
]

/** Two nodes, each the home of a client's session, and a tool that hangs until the test lets it continue. */
async function start() {
  const backends = [createTestBackend(), createTestBackend()] as const
  const runs: Exchange[] = []
  const releases: (() => void)[] = []
  const doing = { first: (_exchange: Exchange): void => {} }
  for (const { behaviour } of backends) {
    behaviour.list = async (kind) => (kind === 'tools' ? tools.map((tool) => payloadOf(tool)) : [])
    behaviour.call = ({ params }, exchange): Outcome | Promise<Outcome> => {
      if (JSON.stringify(params?.value()).includes('passes')) return { kind: 'complete', result: payloadOf({}) }
      runs.push(exchange)
      const outcome: Outcome = { kind: 'complete', result: payloadOf({ content: [], run: runs.length }) }
      if (runs.length > 1) return outcome
      doing.first(exchange)
      return new Promise((resolve) => releases.push(() => resolve(outcome)))
    }
  }
  const nodes = await startNodes(backends.map(({ entry }) => [tenantOf([entry])]))
  const spy = createMemoryFabric(nodes.bus)
  onTestFinished(() => spy.close())
  const [one, two] = nodes.gateways.map(({ front }) => front) as [Front, Front]
  const here = await openClient(one, identityOf('ada'))
  const there = await openClient(two, identityOf('ada'))
  const store = spy.store<JsonObject>('jobs', 60_000)
  const records = async (): Promise<JsonObject[]> => {
    const keys = await store.keys('')
    const stored = await Promise.all(keys.map((key) => store.get(key)))
    return stored.flatMap((record) => (record === undefined ? [] : [record.value]))
  }
  return { nodes, here, there, runs, releases, doing, records, backends }
}

type Started = Awaited<ReturnType<typeof start>>

/** Runs a task of the first client on this node. The nodes take turns. */
async function runOn(node: 0 | 1, tool: string, { nodes, here, runs, records }: Started): Promise<string> {
  if (node === 1) await resultOf(here, await begin(here, 'passes'))
  const taskId = await begin(here, tool)
  await eventually(() => expect(runs).toHaveLength(1))
  const record = (await records()).find(({ id }) => id === taskId)
  expect(record?.['node']).toBe(nodes.names[node])
  return taskId
}

async function begin(client: TestClient, tool: string): Promise<string> {
  const { result } = await client.request('tools/call', { name: `one__${tool}`, arguments: {}, task: {} }).answer()
  return (result as { task: { taskId: string } }).task.taskId
}

async function resultOf(client: TestClient, taskId: string): Promise<unknown> {
  const { result, error } = await client.request('tasks/result', { taskId }).answer()
  return error ?? result
}

describe('a job whose node dies without a message', () => {
  it.each([
    ['reads', 1],
    ['sets', 1],
    ['reads', 0],
  ] as const)('is run again when its tool %s only (node %i)', async (tool, node) => {
    const started = await start()
    const { nodes, here, there, runs } = started
    const taskId = await runOn(node, tool, started)
    await nodes.leave(node)
    expect(await resultOf(node === 1 ? here : there, taskId)).toMatchObject({ run: 2 })
    expect(runs).toHaveLength(2)
    expect(runs[1]?.attempt).toBe(2)
  })

  it.each([0, 1] as const)('is not run again when that might have an effect twice (node %i)', async (node) => {
    const started = await start()
    const { nodes, here, there, runs } = started
    const taskId = await runOn(node, 'adds', started)
    await nodes.leave(node)
    const client = node === 1 ? here : there
    expect(await resultOf(client, taskId)).toMatchObject({ code: -32_000, data: { reason: 'outcome_unknown' } })
    const { result } = await client.request('tasks/get', { taskId }).answer()
    expect(result).toMatchObject({ status: 'failed' })
    expect(runs).toHaveLength(1)
  })

  it('is not run again when a client may have seen a part of it', async () => {
    const started = await start()
    const { nodes, here, runs, doing, records } = started
    doing.first = (exchange) => exchange.progress({ progress: 1 })
    const taskId = await runOn(1, 'reads', started)
    await eventually(async () =>
      expect((await records()).find(({ id }) => id === taskId)).toMatchObject({ emitted: true }),
    )
    await nodes.leave(1)
    expect(await resultOf(here, taskId)).toMatchObject({ data: { reason: 'outcome_unknown' } })
    expect(runs).toHaveLength(1)
  })

  it('keeps the result of the second node, regardless of a later result of the first', async () => {
    const started = await start()
    const { nodes, here, releases } = started
    const taskId = await runOn(1, 'reads', started)
    await nodes.leave(1)
    expect(await resultOf(here, taskId)).toMatchObject({ run: 2 })
    for (const release of releases) release()
    expect(await resultOf(here, taskId)).toMatchObject({ run: 2 })
  })
})

/** The fabric of a node that takes no job from the queue. */
function takingNothing(fabric: Fabric): Fabric {
  const queue: Fabric['queue'] = <T extends JsonValue>(...args: Parameters<Fabric['queue']>): Queue<T> => {
    const queued = fabric.queue<T>(...args)
    const take = (signal: AbortSignal): Promise<undefined> =>
      new Promise((resolve) => signal.addEventListener('abort', () => resolve(undefined)))
    return { push: (...item) => queued.push(...item), hold: (...item) => queued.hold(...item), take }
  }
  return new Proxy(fabric, {
    get(target, name) {
      if (name === 'queue') return queue
      const member: unknown = Reflect.get(target, name)
      return typeof member === 'function' ? member.bind(target) : member
    },
  })
}

it('a request that is answered later is cancelled at the node that runs it, when the node that accepted it is lost', async () => {
  const backends = [createTestBackend(), createTestBackend(), createTestBackend()]
  const runs: Exchange[] = []
  for (const { behaviour } of backends) {
    behaviour.list = async (kind) => (kind === 'tools' ? tools.map((tool) => payloadOf(tool)) : [])
    behaviour.call = (_request, exchange) => {
      runs.push(exchange)
      return new Promise((resolve) =>
        exchange.onEnd({ ended: () => resolve({ kind: 'complete', result: payloadOf({}) }) }),
      )
    }
  }
  const fabrics = [takingNothing]
  const nodes = await startNodes(
    backends.map(({ entry }) => [tenantOf([entry])]),
    {},
    (fabric) => fabrics.pop()?.(fabric) ?? fabric,
  )
  const [home, accepting] = nodes.gateways.map(({ front }) => front) as [Front, Front]
  const ada = identityOf('ada')
  const { session } = await openClient(home, ada)
  const visiting = await accepting.session(session.id, ada)
  const params = { name: 'one__reads', arguments: {} }
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
  expect(await post(accepting, ada, visiting, message, true).seen.whole()).toEqual([{ status: 'queued' }])
  await eventually(() => expect(runs).toHaveLength(1))
  await nodes.leave(1)
  await eventually(() => expect(runs).toHaveLength(2))
  const method = 'notifications/cancelled'
  const cancel: Notification = { kind: 'notification', dialect: '2.0', method, params: payloadOf({ requestId: 1 }) }
  void home.receive(
    cancel,
    { transport: 'http', identity: ada, session, revision: undefined, dialect: '2.0' },
    {} as Sink,
  )
  await eventually(() => expect(runs[1]?.ended).toBe('cancelled'))
})

describe('a job whose node is closed', () => {
  it('continues on another node', async () => {
    const started = await start()
    const { nodes, here, runs } = started
    const taskId = await runOn(1, 'reads', started)
    await nodes.gateways[1]?.close()
    expect(await resultOf(here, taskId)).toMatchObject({ run: 2 })
    expect(runs[0]?.ended).toBe('shutdown')
  })
})

describe('a job whose backend of 2025-11-25 has started a task', () => {
  const unknown: Outcome = { kind: 'error', error: { code: -32_602, message: 'Unknown task' } }
  const given = (text: string): Outcome => ({ kind: 'complete', result: payloadOf({ content: [], text }) })

  /** Runs a task on the second node, which is lost while it waits for the backend's own. */
  async function lose(annotations: JsonObject, collected: Outcome, isMoved = false) {
    const started = await start()
    const { nodes, here, backends } = started
    const made: string[] = []
    const waiting: string[] = []
    for (const { behaviour } of backends) {
      const tool = { name: 'tasks', annotations, execution: { taskSupport: 'required' } }
      behaviour.list = async (kind) => (kind === 'tools' ? [...tools, tool].map((one) => payloadOf(one)) : [])
      const { call } = behaviour
      behaviour.call = (request, exchange) => {
        const { name } = (request.params?.value() ?? {}) as { readonly name?: string }
        if (request.method === 'tasks/result') {
          waiting.push('asked')
          if (waiting.length === 1) return new Promise(() => {})
          return waiting.length === 2 ? collected : given('of another task')
        }
        if (request.method === 'tasks/cancel') made.push('cancelled')
        if (request.method === 'tasks/get') return collected
        if (name !== 'tasks') return call(request, exchange)
        made.push('started')
        return { kind: 'complete', result: payloadOf({ task: { taskId: `own-${made.length}`, status: 'working' } }) }
      }
    }
    await resultOf(here, await begin(here, 'passes'))
    const taskId = await begin(here, 'tasks')
    await eventually(() => expect(waiting).toHaveLength(1))
    await eventually(async () =>
      expect((await started.records()).find(({ id }) => id === taskId)).toMatchObject({
        backendTask: expect.stringMatching(/\+own-1$/),
      }),
    )
    const moved = tenantOf([{ ...backends[0].entry, address: 'moved' }])
    const update = isMoved ? nodes.gateways[0]?.update([moved]) : undefined
    await nodes.leave(1)
    await update
    return { result: await resultOf(here, taskId), made, asked: waiting.length }
  }

  it('waits for that task on the next node, and starts no other', async () => {
    const { result, made } = await lose({}, given('of the task'))
    expect(result).toMatchObject({ text: 'of the task' })
    expect(made).toEqual(['started'])
  })

  it.each([
    [{}, { data: { reason: 'outcome_unknown' } }, 1],
    [{ readOnlyHint: true }, { text: 'of the task' }, 2],
  ] as const)('does not ask another server behind the same name for that task (%j)', async (hints, shown, count) => {
    const { result, made, asked } = await lose(hints, given('of the task'), true)
    expect(result).toMatchObject(shown)
    expect([made.length, asked]).toEqual([count, count])
  })

  it('starts another one when the backend knows it no more and the tool may repeat', async () => {
    const { result, made } = await lose({ readOnlyHint: true }, unknown)
    expect(result).toMatchObject({ text: 'of another task' })
    expect(made).toEqual(['started', 'started'])
  })

  it('has an unknown outcome when the backend knows it no more and the tool may not repeat', async () => {
    const { result, made } = await lose({}, unknown)
    expect(result).toMatchObject({ data: { reason: 'outcome_unknown' } })
    expect(made).toEqual(['started'])
  })
})
