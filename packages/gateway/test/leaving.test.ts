import { setImmediate as turn, setTimeout as after } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import type { Front } from '@junctor/contracts'
import type { Outcome } from '@junctor/exchange'
import { createMemoryFabric } from '@junctor/fabric'
import { type JsonObject, payloadOf } from '@junctor/jsonrpc'
import { eventually } from '@junctor/testkit'
import { post } from './support/json-client.ts'
import { createTestBackend } from './support/test-backend.ts'
import { openClient, type TestClient } from './support/test-client.ts'
import { identityOf, startNodes, tenantOf } from './support/test-nodes.ts'

// Requests that only wait for a job, and the job itself, when their node leaves.

/** A node with work that does not end may take this long to leave: longer than a test may. */
const graceMs = 600_000
/** Longer than it takes to refuse waiting requests, in milliseconds. */
const looksMs = 1_000

const turnedAway = expect.objectContaining({
  error: expect.objectContaining({ data: { reason: 'overloaded', retryable: true } }),
})

/** Two nodes, each the home of a client's session, and a tool that reports its node when the test lets it continue. */
async function start() {
  const gate = Promise.withResolvers<void>()
  const backends = [createTestBackend(), createTestBackend()]
  for (const [node, { behaviour }] of backends.entries()) {
    behaviour.list = async (kind) =>
      kind === 'tools'
        ? ['waits', 'passes'].map((name) => payloadOf({ name, annotations: { readOnlyHint: true } }))
        : []
    behaviour.call = async ({ params }, exchange): Promise<Outcome> => {
      if (exchange.wantsProgress) exchange.progress({ progress: 1 })
      if (JSON.stringify(params?.value()).includes('waits')) await gate.promise
      await turn()
      return { kind: 'complete', result: payloadOf({ content: [], node }) }
    }
  }
  const nodes = await startNodes(backends.map(({ entry }) => [tenantOf([entry])]))
  const spy = createMemoryFabric(nodes.bus)
  onTestFinished(() => spy.close())
  const [gateway, other] = nodes.gateways
  const fronts = [gateway?.front, other?.front] as [Front, Front]
  const [here, there] = (await Promise.all(fronts.map((front) => openClient(front, identityOf('ada'))))) as [
    TestClient,
    TestClient,
  ]
  const store = spy.store<JsonObject>('jobs', 60_000)
  /** The node that runs a task, as soon as one does. */
  const runs = async (taskId: string): Promise<unknown> => {
    const stored = await Promise.all((await store.keys('')).map((key) => store.get(key)))
    return stored.find((record) => record?.value['id'] === taskId)?.value['node']
  }
  /** Runs a task of a node's session on that node. The nodes take turns. */
  const begin = async (node: 0 | 1): Promise<string> => {
    const client = [here, there][node] as TestClient
    if (node === 1) await client.request('tasks/result', { taskId: await task(client, 'passes') }).answer()
    const taskId = await task(client, 'waits')
    await eventually(async () => expect(await runs(taskId)).toBe(nodes.names[node]))
    return taskId
  }
  /** Makes the first node leave, up to the point before it is closed. */
  const leave = async (ms = graceMs): Promise<void> => {
    gateway?.retire()
    await gateway?.finishAccepted(ms)
    await gateway?.drain(ms)
  }
  /** How many streams of requests a node keeps. */
  const keeps = (node: 0 | 1): number | undefined => nodes.gateways[node]?.gauges().streams
  return { here, there, fronts, gate, begin, runs, leave, keeps, gateway, names: nodes.names }
}

async function task(client: TestClient, tool: string): Promise<string> {
  const { result } = await client.request('tools/call', { name: `one__${tool}`, arguments: {}, task: {} }).answer()
  return (result as { task: { taskId: string } }).task.taskId
}

const resultOf = (client: TestClient, taskId: string) => client.request('tasks/result', { taskId }).answer()

it('is not delayed by requests that wait for a job of another node', { timeout: 20_000 }, async () => {
  const { here, there, fronts, gate, begin, leave } = await start()
  const taskId = await begin(1)
  // Requests of a session of this node, of a session of the other node, and of the first through the other node.
  const clients = [here, await there.at(fronts[0]), await here.at(fronts[1])]
  const waiting = clients.map((client) => resultOf(client, taskId))
  await leave()
  expect(await Promise.all(waiting)).toEqual(clients.map(() => turnedAway))
  gate.resolve()
  expect(await resultOf(there, taskId)).toMatchObject({ result: { node: 1 } })
})

it('answers requests that wait there for its own job', { timeout: 20_000 }, async () => {
  const { here, fronts, gate, begin, leave } = await start()
  const taskId = await begin(0)
  const clients = [here, await here.at(fronts[1])]
  const waiting = clients.map((client) => resultOf(client, taskId))
  const left = leave()
  await after(looksMs)
  gate.resolve()
  expect(await Promise.all(waiting)).toEqual(
    clients.map(() => expect.objectContaining({ result: expect.objectContaining({ node: 0 }) })),
  )
  await left
})

it('refuses them at the end of its time, and another node has the job', { timeout: 20_000 }, async () => {
  const { here, there, fronts, gate, begin, runs, leave, gateway, names } = await start()
  const taskId = await begin(0)
  const clients = [here, await here.at(fronts[1])]
  const waiting = clients.map((client) => resultOf(client, taskId))
  await leave(looksMs)
  await gateway?.leave()
  const closed = gateway?.close()
  await eventually(async () => expect(await runs(taskId)).toBe(names[1]))
  await closed
  expect(await Promise.all(waiting)).toEqual(clients.map(() => turnedAway))
  gate.resolve()
  expect(await resultOf(there, taskId)).toMatchObject({ result: { content: [] } })
})

it('ends subscriptions with their answer when accepted work takes all the time', async () => {
  const { begin, gateway, fronts, gate } = await start()
  await begin(0)
  const prefix = 'io.modelcontextprotocol/'
  const _meta = { [`${prefix}protocolVersion`]: '2026-07-28', [`${prefix}clientCapabilities`]: {} }
  const params = { notifications: { toolsListChanged: true }, _meta }
  const request = { jsonrpc: '2.0', id: 'news', method: 'subscriptions/listen', params }
  const { seen } = post(fronts[0], identityOf('ada'), undefined, request, false, false)
  await seen.until(({ method }) => method === 'notifications/subscriptions/acknowledged')
  await gateway?.leave()
  expect(await seen.until(({ id }) => id === 'news')).toMatchObject({ result: { resultType: 'complete' } })
  gate.resolve()
})

it('takes along what others kept of the streams of its sessions', async () => {
  const { here, fronts, gate, leave, keeps } = await start()
  const visiting = await here.at(fronts[1])
  const params = { name: 'one__waits', arguments: {}, _meta: { progressToken: 1 } }
  const call = visiting.request('tools/call', params)
  await call.until(({ method }) => method === 'notifications/progress')
  expect(keeps(1)).toBe(1)
  const left = leave()
  gate.resolve()
  expect(await call.answer()).toMatchObject({ result: { node: 0 } })
  await left
  await eventually(() => expect(keeps(1)).toBe(0))
})

it(
  'is not delayed by a session whose client calls again as soon as it has an answer',
  { timeout: 20_000 },
  async () => {
    const { here, fronts, leave } = await start()
    const visitor = await here.at(fronts[1])
    const callOn = async (): Promise<unknown> => {
      const answer = await visitor.request('tools/call', { name: 'one__passes', arguments: {} }).answer()
      return 'result' in answer ? callOn() : answer
    }
    const refused = callOn()
    await leave()
    expect(await refused).toMatchObject({ error: {} })
  },
)
