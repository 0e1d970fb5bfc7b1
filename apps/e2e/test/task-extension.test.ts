import { hash } from 'node:crypto'
import type { JsonObject } from '@junctor/jsonrpc'
import { expect } from 'vitest'
import { serveTasks } from '../fixtures/task-server.ts'
import type { Cell } from '../src/cell.ts'
import { lean, taskChild } from '../src/in-gateway.ts'
import { inStateless, type StatelessScene } from '../src/in-stateless.ts'
import { errorOf, resultOf, textOf } from '../src/result-of.ts'
import { mirrors, questionsOf, type StatelessClient } from '../src/stateless-client.ts'
import { verifies } from '../src/verifies.ts'

const everywhere = { revisions: ['2025-11-25'] } as const
const overHttp = { ways: ['http'], revisions: ['2025-11-25'] } as const
const identifier = 'io.modelcontextprotocol/tasks'
const taking = { extensions: { [identifier]: {} } }
const asked = { ...taking, elicitation: {} }

const call = (name: string, args: JsonObject = {}): JsonObject => ({ name, arguments: args })

/** A server of 2025-11-25 whose tool can be called as a task only. */
const required = lean({
  tools: [{ name: 'sql', inputSchema: { type: 'object' }, execution: { taskSupport: 'required' } }],
  capabilities: { tools: {}, tasks: { requests: { tools: { call: {} } } } },
})

/** Starts a task, and returns its id. */
async function start(one: StatelessClient, name: string, args?: JsonObject): Promise<string> {
  const task = resultOf(await one.request('tools/call', call(name, args)))
  expect(task).toMatchObject({ resultType: 'task', taskId: expect.any(String), ttlMs: expect.any(Number) })
  return task['taskId'] as string
}

const get = async (one: StatelessClient, taskId: string): Promise<JsonObject> =>
  resultOf(await one.request('tasks/get', { taskId }))

async function until(one: StatelessClient, taskId: string, status: string): Promise<JsonObject> {
  await expect.poll(async () => (await get(one, taskId))['status'], { timeout: 10_000 }).toBe(status)
  return get(one, taskId)
}

/** A gateway in front of the same server twice: over HTTP, and as a child process. */
async function beforeTasks(cell: Cell, body: (scene: StatelessScene) => Promise<void>): Promise<void> {
  const tasks = await serveTasks()
  try {
    const backends = { http: { url: tasks.url }, stdio: taskChild(), required }
    await inStateless(cell, backends, body)
  } finally {
    await tasks.close()
  }
}

verifies('TASK-1', everywhere, async (cell) => {
  const keyOf = (key: string): object => ({ hash: `sha256:${hash('sha256', key, 'hex')}` })
  const config =
    cell.way === 'http' ? { auth: { apiKeys: { ada: keyOf('key-of-ada'), eve: keyOf('key-of-eve') } } } : {}
  const as = (name: string) => (cell.way === 'http' ? { headers: { authorization: `Bearer key-of-${name}` } } : {})
  await inStateless(
    cell,
    { required },
    async ({ stateless }) => {
      const one = await stateless({ capabilities: taking, ...as('ada') })
      expect(resultOf(await one.request('server/discover'))).toMatchObject({
        capabilities: { extensions: { [identifier]: {} } },
      })
      const taskId = await start(one, 'required__sql', { big: 1 })
      const done = await until(one, taskId, 'completed')
      expect(done).toMatchObject({ resultType: 'complete', taskId, result: { content: [{ text: '{"big":1}' }] } })
      expect(resultOf(await one.request('tasks/cancel', { taskId }))).toMatchObject({
        resultType: 'complete',
      })
      expect((await get(one, taskId))['status']).toBe('completed')
      expect(errorOf(await one.request('tasks/get', { taskId: 'j_unknown' })).code).toBe(-32_602)
      expect(errorOf(await one.request('tasks/list')).code).toBe(-32_601)
      expect(errorOf(await one.request('tasks/result', { taskId })).code).toBe(-32_601)
      // A client that takes no tasks waits for the result.
      const other = await stateless({ ...as('ada') })
      expect(textOf(await other.request('tools/call', call('required__sql', { big: 2 })))).toBe('{"big":2}')
      if (cell.way !== 'http') return
      const foreign = await stateless({ capabilities: taking, ...as('eve') })
      for (const method of ['tasks/get', 'tasks/cancel', 'tasks/update']) {
        const response = await foreign.request(method, { taskId, inputResponses: {} })
        expect(errorOf(response).code).toBe(-32_602)
      }
    },
    config,
  )
})

verifies('TASK-2', everywhere, async (cell) => {
  await beforeTasks(cell, async ({ client, stateless }) => {
    const one = await stateless({ capabilities: asked })
    const silent = await stateless()
    const old = await client({ capabilities: { elicitation: {} }, answers: { 'elicitation/create': answered } })
    for (const backend of ['http', 'stdio']) {
      const link = { uri: `${backend}+file:///made` }
      const slow = await until(one, await start(one, `${backend}__slow`), 'completed')
      expect(slow['result']).toMatchObject({
        content: [{ text: 'slow as a task {}' }, link],
        structuredContent: { tool: 'slow' },
      })
      const failed = await until(one, await start(one, `${backend}__fails`), 'failed')
      expect(failed['error']).toMatchObject({ code: -31_099, message: 'failed', data: { why: 1 } })

      const refused = await until(one, await start(one, `${backend}__refuses`), 'completed')
      expect(refused['result']).toMatchObject({ isError: true })

      const taskId = await start(one, `${backend}__asks`)
      const waiting = await until(one, taskId, 'input_required')
      await expect.poll(async () => Object.keys(questionsOf(await get(one, taskId)))).toHaveLength(2)
      expect(Object.keys(questionsOf(waiting)).length).toBeGreaterThan(0)
      const questions = questionsOf(await get(one, taskId))
      expect(Object.values(questions).map(({ params }) => params?.['message'])).toEqual([
        `[${backend}] first?`,
        `[${backend}] second?`,
      ])
      // One answer at a time; one without an open question is ignored.
      for (const [key, { params = {} }] of Object.entries(questions)) {
        const inputResponses = { [key]: answered(params), invented: answered({}) }
        resultOf(await one.request('tasks/update', { taskId, inputResponses }))
      }
      const done = await until(one, taskId, 'completed')
      expect(JSON.stringify(done['result'])).toContain(`to [${backend}] first?`)
      expect(JSON.stringify(done['result'])).toContain(`to [${backend}] second?`)

      const hanging = await start(one, `${backend}__hangs`)
      resultOf(await one.request('tasks/cancel', { taskId: hanging }))
      await until(one, hanging, 'cancelled')

      // Clients that take no task get the result: at once, and when the server insists on a task.
      for (const other of [silent, old]) {
        expect(textOf(await other.request('tools/call', call(`${backend}__slow`)))).toBe('slow at once')
        expect(textOf(await other.request('tools/call', call(`${backend}__insists`)))).toBe('insists as a task {}')
      }
      // A client of 2025-11-25 asks for a task.
      const created = resultOf(await old.request('tools/call', { ...call(`${backend}__asks`), task: {} }))
      const { taskId: own } = created['task'] as JsonObject
      const result = resultOf(await old.request('tasks/result', { taskId: own }))
      expect(JSON.stringify(result)).toContain(`to [${backend}] second?`)
      expect(result['content']).toMatchObject([{ type: 'text' }, link])
    }
  })
})

/** An answer to a form. */
function answered({ message }: JsonObject): JsonObject {
  return { action: 'accept', content: { answer: `to ${message as string}` } }
}

verifies('TASK-3', overHttp, async (cell) => {
  await beforeTasks(cell, async ({ stateless }) => {
    const one = await stateless({ capabilities: taking })
    const taskId = await start(one, 'http__slow')
    const other = await stateless()
    for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
      const params = { taskId, inputResponses: {} }
      expect(errorOf(await other.request(method, params))).toMatchObject({
        code: -32_021,
        data: { requiredCapabilities: { extensions: { [identifier]: {} } } },
      })
      const { http } = one
      if (http === undefined) throw new Error('expected HTTP')
      const declared = one.declared(params)
      const { 'mcp-name': _name, ...unnamed } = mirrors(method, declared)
      for (const headers of [unnamed, { ...unnamed, 'mcp-name': 'j_other' }]) {
        const { status } = await http.post(
          { jsonrpc: '2.0', id: `${method} ${http.received.length}`, method, params: declared },
          headers,
        )
        expect(status).toBe(400)
      }
    }
    // A task whose client cannot be asked fails, and is not waited for at the backend.
    const unasked = await until(one, await start(one, 'http__asks'), 'failed')
    expect(unasked['error']).toMatchObject({ code: -32_021, data: { requiredCapabilities: { elicitation: {} } } })
    for (const params of [{}, { taskId: 5 }, { taskId: null }]) {
      expect(errorOf(await one.request('tasks/get', params)).code).toBe(-32_602)
    }
    expect(errorOf(await one.request('tasks/update', { taskId, inputResponses: [] })).code).toBe(-32_602)
  })
})

verifies('TASK-4', everywhere, async (cell) => {
  await beforeTasks(cell, async ({ stateless }) => {
    const one = await stateless({ capabilities: asked })
    const taskId = await start(one, 'http__asks')
    const notifications = { taskIds: [taskId, 'j_unknown'] }
    await one.send('subscriptions/listen', one.declared({ notifications }), 'listening')
    const messagesOf = (method: string) =>
      one.wire.received.map(({ message }) => message).filter((message) => message['method'] === method)
    await expect
      .poll(() => messagesOf('notifications/subscriptions/acknowledged'))
      .toMatchObject([
        {
          params: {
            notifications: { taskIds: [taskId] },
            _meta: { 'io.modelcontextprotocol/subscriptionId': 'listening' },
          },
        },
      ])
    const shown = () => messagesOf('notifications/tasks').map(({ params }) => params as JsonObject)
    await expect
      .poll(() => shown().some((task) => Object.keys(questionsOf(task)).length === 2), { timeout: 10_000 })
      .toBe(true)
    const questions = questionsOf(shown().findLast((task) => task['status'] === 'input_required') as JsonObject)
    const inputResponses = Object.fromEntries(
      Object.entries(questions).map(([key, { params = {} }]) => [key, answered(params)]),
    )
    resultOf(await one.request('tasks/update', { taskId, inputResponses }))
    await expect.poll(() => shown().at(-1)?.['status'], { timeout: 10_000 }).toBe('completed')
    expect(shown().at(-1)).toMatchObject({ taskId, result: { structuredContent: { tool: 'asks' } } })
    const other = await stateless()
    const refused = await other.request('subscriptions/listen', { notifications })
    expect(errorOf(refused)).toMatchObject({ code: -32_021 })
  })
})
