import { setImmediate as turn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { Fabric, Front } from '@junctor/contracts'
import type { Outcome } from '@junctor/exchange'
import { isJsonObject, type JsonObject, payloadOf, type Request } from '@junctor/jsonrpc'
import type { BackendEntry } from '../src/index.ts'
import { type Faults, withFaults } from './support/faulty-storage.ts'
import { createTestBackend, testServer } from './support/test-backend.ts'
import { openClient } from './support/test-client.ts'
import { identityOf, startNodes, tenantOf } from './support/test-nodes.ts'

// Jobs whose backend has a task of its own, and cannot be reached while that runs.

const complete = (result: JsonObject): Outcome => ({ kind: 'complete', result: payloadOf(result) })
const question = { method: 'elicitation/create', params: { message: 'Sure?', requestedSchema: {} } }

/** A node with a backend whose tool always runs as a task, and a client that has begun one. */
async function start(
  answer: (request: Request, params: JsonObject) => Outcome | Promise<Outcome>,
  isNew: boolean,
  through?: (fabric: Fabric) => Fabric,
) {
  const backend = createTestBackend()
  const { behaviour, entry } = backend
  const methods: string[] = []
  const tasks = isNew ? { extensions: { 'io.modelcontextprotocol/tasks': {} } } : { tasks: {} }
  behaviour.server = {
    ...testServer,
    ...(isNew && { revision: '2026-07-28' }),
    capabilities: { ...testServer.capabilities, ...tasks },
  }
  const execution = { taskSupport: isNew ? 'optional' : 'required' }
  behaviour.list = async (kind) => (kind === 'tools' ? [payloadOf({ name: 'long', execution })] : [])
  behaviour.call = (request) => {
    methods.push(request.method)
    const params = request.params?.value()
    return answer(request, isJsonObject(params) ? params : {})
  }
  const nodes = await startNodes([[tenantOf([entry])]], {}, through)
  const client = await openClient(nodes.gateways[0]?.front as Front, identityOf('ada'))
  const begin = async (): Promise<string> => {
    const { result } = await client.request('tools/call', { name: 'one__long', arguments: {}, task: {} }).answer()
    return (result as { task: { taskId: string } }).task.taskId
  }
  const reload = (entries: readonly BackendEntry[]) => nodes.gateways[0]?.update([tenantOf(entries)])
  return { backend, client, begin, reload, methods }
}

it('a task is started once, also when its backend cannot be reached before it is asked for the result', async () => {
  let count = 0
  const { backend, client, begin, methods } = await start(async ({ method }, { taskId }) => {
    if (method !== 'tools/call') return complete({ content: [], of: taskId ?? null })
    count += 1
    for (const link of backend.open) link.break()
    await Promise.all(backend.links.map(({ closed }) => closed))
    return complete({ task: { taskId: `up ${count}` } })
  }, false)
  let refusals = 1
  backend.behaviour.opening = async () => {
    if (count > 0 && refusals-- > 0) throw new Error('it starts again')
  }
  const taskId = await begin()
  const { result } = await client.request('tasks/result', { taskId }).answer()
  expect(result).toMatchObject({ content: [], of: 'up 1' })
  expect(methods).toEqual(['tools/call', 'tasks/result'])
})

it('a task of 2026-07-28 is started once, and gets its answers, although its backend has no room at times', async () => {
  const refused = new Set<string>()
  const answers: unknown[] = []
  const { client, begin, methods } = await start(({ method }, { taskId, inputResponses }) => {
    if (method === 'tools/call') return complete({ resultType: 'task', taskId: 'up' })
    if (!refused.has(method)) {
      refused.add(method)
      const data = payloadOf({ reason: 'overloaded', retryable: true })
      return { kind: 'error', error: { code: -32_000, message: 'no room', data } }
    }
    if (inputResponses !== undefined) answers.push(inputResponses)
    if (answers.length > 0) return complete({ status: 'completed', result: { content: [], of: taskId ?? null } })
    return complete({ status: 'input_required', inputRequests: { sure: question }, pollIntervalMs: 1 })
  }, true)
  const waiting = client.request('tasks/result', { taskId: await begin() })
  const asked = await waiting.until(({ method }) => method === question.method)
  client.respond(asked.id as string, { action: 'accept', content: {} })
  expect((await waiting.answer()).result).toMatchObject({ content: [], of: 'up' })
  expect(answers).toEqual([{ sure: { action: 'accept', content: {} } }])
  expect(methods.filter((method) => method === 'tools/call')).toHaveLength(1)
})

it.each([false, true])('a task that its server cancels is cancelled (2026-07-28: %s)', async (isNew) => {
  const faults: Faults = new Map()
  const cancelled = Promise.withResolvers<void>()
  const untilCancelled = async (): Promise<void> => {
    faults.clear()
    await cancelled.promise
    await turn()
  }
  const answer = ({ method }: Request): Outcome => {
    if (method === 'tools/call') {
      // The write that the backend has started a task takes until the task has ended.
      faults.set('jobs.put', { done: true, succeeds: true, meanwhile: untilCancelled })
      return complete(isNew ? { resultType: 'task', taskId: 'up' } : { task: { taskId: 'up' } })
    }
    if (method !== 'tasks/get') return { kind: 'error', error: { code: -32_603, message: 'Task up has no result' } }
    cancelled.resolve()
    return complete({ taskId: 'up', status: 'cancelled' })
  }
  const { client, begin } = await start(answer, isNew, (fabric) => withFaults(fabric, faults))
  const taskId = await begin()
  const { error } = await client.request('tasks/result', { taskId }).answer()
  expect(error).toMatchObject({ message: 'The server has cancelled the task', data: { reason: 'cancelled' } })
  const { result } = await client.request('tasks/get', { taskId }).answer()
  expect(result).toMatchObject({ status: 'cancelled' })
})

it.each([
  { isNew: false, knows: true, same: true },
  { isNew: true, knows: true, same: true },
  { isNew: false, knows: false, same: true },
  { isNew: true, knows: false, same: true },
  { isNew: false, knows: true, same: false },
  { isNew: true, knows: true, same: false },
])('a task whose backend a reload replaces while it starts comes to an end: %o', async ({ isNew, knows, same }) => {
  const called = Promise.withResolvers<void>()
  const reloaded = Promise.withResolvers<void>()
  const { backend, client, begin, reload, methods } = await start(async ({ method }, { taskId }) => {
    if (method === 'tools/call') {
      called.resolve()
      await reloaded.promise
      return complete(isNew ? { resultType: 'task', taskId: 'up' } : { task: { taskId: 'up' } })
    }
    if (!knows) return { kind: 'error', error: { code: -32_602, message: 'Unknown task' } }
    const result = { content: [], of: taskId ?? null }
    return complete(isNew ? { status: 'completed', result } : result)
  }, isNew)
  const taskId = await begin()
  await called.promise
  const updated = reload([{ ...backend.entry, ...(!same && { address: 'elsewhere' }) }])
  await client.request('tools/list').answer()
  reloaded.resolve()
  await updated
  const { result, error } = await client.request('tasks/result', { taskId }).answer()
  const lost = { data: { reason: 'outcome_unknown' } }
  expect(result ?? error).toMatchObject(knows && same ? { content: [], of: 'up' } : lost)
  expect(methods.filter((method) => method === 'tools/call')).toHaveLength(1)
})
