import { once } from 'node:events'
import { eventually } from '@junctor/testkit'
import { expect, onTestFinished, vi } from 'vitest'
import { serveTasks } from '../fixtures/task-server.ts'
import { natsTest } from '../src/nats-test.ts'
import { startNodeProcess } from '../src/node-process.ts'
import { resultOf } from '../src/result-of.ts'
import { openSessionAtNodes } from '../src/session-at-nodes.ts'
import { openStatelessClient, questionsOf, type StatelessClient } from '../src/stateless-client.ts'
import { verifies } from '../src/verifies.ts'

// Tasks of a backend of 2026-07-28 whose node leaves or dies while they wait for an answer.
vi.setConfig({ testTimeout: 120_000 })

const taking = { capabilities: { elicitation: {}, extensions: { 'io.modelcontextprotocol/tasks': {} } } }

async function clientOf(url: string): Promise<StatelessClient> {
  const client = await openStatelessClient({ urls: [url] } as never, { way: 'http' }, taking)
  onTestFinished(() => client.close())
  return client
}

const questionsIn = async (one: StatelessClient, taskId: string) =>
  questionsOf(resultOf(await one.request('tasks/get', { taskId })))

/** Two nodes of one cluster, and a server with tasks behind them. */
async function startTwo(nats: string, cluster: string) {
  const server = await serveTasks()
  onTestFinished(() => server.close())
  const fabric = { nats: { servers: [nats], cluster, key: 'k'.repeat(40) } }
  const config = { fabric, backends: { http: { url: server.url } } }
  return { server, nodes: await Promise.all([startNodeProcess(config), startNodeProcess(config)]) }
}

const hangs = { name: 'http__hangs', arguments: {} }

verifies('TASK-5', { nodes: [2], ways: ['http'] }, async ({ nats = '' }) => {
  const { server, nodes } = await startTwo(nats, 'task-of-job')
  const urls = nodes.map(({ url }) => url)
  const session = await openSessionAtNodes(urls)
  onTestFinished(() => session.close())
  const created = resultOf((await session.nodes[0]?.request('tools/call', { ...hangs, task: {} })) ?? {})
  const { taskId } = created['task'] as { readonly taskId: string }
  // The node stores the id of the task while it asks for its state: after some of these it has done so.
  await eventually(() => expect(server.polls()).toBeGreaterThan(5))
  await nodes[0]?.kill()
  const next = await openSessionAtNodes(urls.slice(1))
  onTestFinished(() => next.close())
  server.finish()
  const result = await next.nodes[0]?.request('tasks/result', { taskId })
  expect(JSON.stringify(result)).toContain('hangs as a task')
  expect(server.states()).toEqual(['completed'])
})

for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
  natsTest(`a task goes on at another node after ${signal} of its own, with its questions`, async ({ nats }) => {
    const { nodes } = await startTwo(nats.url, `tasks-${signal.toLowerCase()}`)
    const [first, second] = nodes
    const one = await clientOf(first.url)
    const other = await clientOf(second.url)
    const started = resultOf(await one.request('tools/call', { name: 'http__asks', arguments: {} }))
    const taskId = started['taskId'] as string
    await eventually(async () => expect(Object.keys(await questionsIn(one, taskId))).toHaveLength(2))
    // The other node shows them too.
    expect(Object.keys(await questionsIn(other, taskId))).toHaveLength(2)
    const exited = once(first.process, 'exit')
    first.process.kill(signal)
    await exited
    const questions = await eventually(async () => {
      const open = await questionsIn(other, taskId)
      expect(Object.keys(open)).toHaveLength(2)
      return open
    }, 60_000)
    const inputResponses = Object.fromEntries(
      Object.keys(questions).map((key) => [key, { action: 'accept', content: { answer: 'yes' } }]),
    )
    resultOf(await other.request('tasks/update', { taskId, inputResponses }))
    const done = await eventually(async () => {
      const task = resultOf(await other.request('tasks/get', { taskId }))
      expect(task['status']).toBe('completed')
      return task
    })
    expect(JSON.stringify(done['result'])).toContain('asks as a task')
  })
}
