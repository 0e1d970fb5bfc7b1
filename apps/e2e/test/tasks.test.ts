import { hash } from 'node:crypto'
import type { JsonObject } from '@junctor/jsonrpc'
import { createBackend, createTool, definePlugin } from '@junctor/plugin-sdk'
import { eventually } from '@junctor/testkit'
import { expect } from 'vitest'
import type { Cell } from '../src/cell.ts'
import { demo, inGateway, lean, type Scene } from '../src/in-gateway.ts'
import { openTaskClient, type TaskClient } from '../src/peers/open-task-client.ts'
import { errorOf, resultOf, textOf } from '../src/result-of.ts'
import { verifies } from '../src/verifies.ts'
import { z } from 'zod'

// Tasks of 2025-11-25, with the experimental client of the official SDK, whose requests go to the nodes in turn.

const over = { ways: ['http'] } as const
const related = 'io.modelcontextprotocol/related-task'
const inputSchema = { type: 'object' }
const tools = [
  { name: 'never', inputSchema, execution: { taskSupport: 'forbidden' } },
  { name: 'always', inputSchema, execution: { taskSupport: 'required' } },
]
const capabilities = { tools: {}, tasks: { requests: { tools: { call: {} } } } }
// A server without tasks that was made with the official SDK declares for each tool that it cannot be a task.
const backends = { demo: demo(), lean: lean({ tools, capabilities }), plain: lean({ tools: tools.slice(0, 1) }) }
const keyOf = (key: string): object => ({ hash: `sha256:${hash('sha256', key, 'hex')}` })
const keys = { auth: { apiKeys: { ada: keyOf('key-of-ada'), bob: keyOf('key-of-bob') } } }

interface TaskScene extends Scene {
  readonly taskClient: (options?: Parameters<typeof openTaskClient>[1]) => Promise<TaskClient>
}

async function withTasks(
  cell: Cell,
  body: (scene: TaskScene) => Promise<void>,
  more: { readonly config?: object } = {},
): Promise<void> {
  const clients: TaskClient[] = []
  const inScene = async (scene: Scene): Promise<void> => {
    try {
      await body({
        ...scene,
        async taskClient(options) {
          const client = await openTaskClient(scene.gateway.urls, options)
          clients.push(client)
          return client
        },
      })
    } finally {
      await Promise.all(clients.map((client) => client.close()))
    }
  }
  await inGateway(cell, backends, inScene, more)
}

verifies(['MCP-9.1', 'MCP-9.2'], over, async (cell) => {
  await withTasks(cell, async ({ taskClient, client }) => {
    const one = await taskClient()
    expect(one.client.getServerCapabilities()?.tasks).toEqual({
      cancel: {},
      requests: { tools: { call: {} } },
    })
    const listed = (await one.client.listTools()).tools
    const supportOf = (name: string): unknown => listed.find((tool) => tool.name === name)?.execution?.taskSupport
    expect(['demo__slow', 'lean__never', 'lean__always'].map(supportOf)).toEqual(['optional', 'forbidden', 'required'])
    await expect(one.start('lean__never')).rejects.toMatchObject({ code: -32601 })
    expect(supportOf('plain__never')).toBe('optional')
    await one.run('plain__echo', { n: 2 })
    const wire = await client()
    expect(errorOf(await wire.request('tools/call', { name: 'lean__always' })).code).toBe(-32601)
    // The backend has no tasks: it gets a plain call, whose result is the task's.
    await one.run('lean__echo', { n: 1 })
    expect((await one.run('lean__received')).text).not.toContain('"task"')
    // At a revision without tasks, the request for a task is ignored.
    const old = await client({ revision: '2025-06-18' })
    const params = { name: 'demo__echo', arguments: { message: 'at once' }, task: {} }
    expect(textOf(await old.request('tools/call', params))).toBe('at once')
  })
})

verifies(['MCP-9.3', 'MCP-9.4'], over, async (cell) => {
  await withTasks(cell, async ({ taskClient }) => {
    const one = await taskClient()
    const story = await one.run('demo__slow', { ms: 200 })
    expect(story).toMatchObject({ text: 'Did nothing for 200 ms', error: undefined })
    expect(story.created).toMatchObject({ status: 'working', taskId: expect.stringMatching(/^j_[\w-]{22}$/) })
    const { taskId = '' } = story.created ?? {}
    // From then on, the result is the same on every node.
    for (let times = 0; times < 4; times += 1) {
      // oxlint-disable no-await-in-loop
      expect(await one.tasks.getTask(taskId)).toMatchObject({ taskId, status: 'completed' })
      expect(await one.result(taskId)).toMatchObject({
        content: [{ text: 'Did nothing for 200 ms' }],
        _meta: { [related]: { taskId } },
      })
      // oxlint-enable no-await-in-loop
    }
    await eventually(() =>
      expect(one.notifications).toContainEqual(expect.objectContaining({ taskId, status: 'completed' })),
    )
    // The result is that of the call, also when it is an error of the backend.
    const failed = await one.run('lean__fail', { x: 1 })
    const id = failed.created?.taskId ?? ''
    expect(await one.tasks.getTask(id)).toMatchObject({ status: 'failed' })
    await expect(one.result(id)).rejects.toMatchObject({
      code: -31999,
      message: expect.stringContaining('own words'),
    })
    for (const unknown of ['j_AAAAAAAAAAAAAAAAAAAAAA', '']) {
      // oxlint-disable no-await-in-loop
      await expect(one.tasks.getTask(unknown)).rejects.toMatchObject({ code: -32602 })
      await expect(one.result(unknown)).rejects.toMatchObject({ code: -32602 })
      await expect(one.tasks.cancelTask(unknown)).rejects.toMatchObject({ code: -32602 })
      // oxlint-enable no-await-in-loop
    }
  })
})

verifies('MCP-9.3', over, async (cell) => {
  const stages = { name: 'stages', inputSchema }
  await inGateway(cell, { lean: lean({ tools: [stages] }) }, async ({ client }) => {
    const one = await client()
    // The server knows tasks too: its own id means nothing to the client.
    const given = { _meta: { [related]: { taskId: 'own' }, kept: 1 } }
    const call = { name: 'lean__stages', arguments: given, _meta: { progressToken: 't' } }
    const started = resultOf(await one.request('tools/call', { ...call, task: {} }))
    const { taskId } = started['task'] as { taskId: string }
    const metasOf = (method: string) => one.messagesOf(method).map(({ params }) => (params as JsonObject)['_meta'])
    const methods = ['notifications/progress', 'notifications/message']
    const ofTask = { kept: 1, [related]: { taskId } }
    await eventually(() => expect(methods.map(metasOf)).toEqual([[ofTask], [ofTask]]))
    await one.request('tools/call', call)
    await eventually(() => expect(methods.map(metasOf)).toEqual(methods.map(() => [ofTask, { kept: 1 }])))
  })
})

verifies('MCP-9.4', over, async (cell) => {
  await withTasks(cell, async ({ taskClient }) => {
    const one = await taskClient({ content: { name: 'Hedy', age: 85 } as never })
    // The questions of a task go to the client that waits for its result.
    expect(await one.run('demo__ask')).toMatchObject({ text: 'Hello Hedy, 85 is a fine age.' })
    // A cancelled task has ended permanently, and a client that waits for it is notified.
    const { taskId } = await one.start('demo__slow', { ms: 600_000 })
    const waiting = one.result(taskId).catch((error: unknown) => error)
    expect(await one.tasks.cancelTask(taskId)).toMatchObject({ taskId, status: 'cancelled' })
    expect(await waiting).toMatchObject({ code: expect.any(Number) })
    expect(await one.tasks.getTask(taskId)).toMatchObject({ status: 'cancelled' })
    await expect(one.tasks.cancelTask(taskId)).rejects.toMatchObject({ code: -32602 })
  })
})

verifies('MCP-9.5', over, async (cell) => {
  const config = { ...keys, limits: { pageItems: 2 } }
  await withTasks(
    cell,
    async ({ taskClient }) => {
      const ada = await taskClient({ key: 'key-of-ada' })
      const bob = await taskClient({ key: 'key-of-bob' })
      expect(ada.client.getServerCapabilities()?.tasks).toMatchObject({ list: {}, cancel: {} })
      const ids: string[] = []
      for (const message of ['a', 'b', 'c']) {
        // oxlint-disable-next-line no-await-in-loop
        ids.push((await ada.run('demo__echo', { message })).created?.taskId ?? '')
      }
      const listed: string[] = []
      let cursor: string | undefined
      do {
        // oxlint-disable-next-line no-await-in-loop
        const page = await ada.tasks.listTasks(cursor)
        listed.push(...page.tasks.map(({ taskId }) => taskId))
        cursor = page.nextCursor
      } while (cursor !== undefined)
      expect(listed).toEqual(ids)
      // The tasks of another caller are neither listed nor accessible, by any method and on either node.
      for (let times = 0; times < 2; times += 1) {
        // oxlint-disable no-await-in-loop
        expect((await bob.tasks.listTasks()).tasks).toEqual([])
        const [taskId = ''] = ids
        await expect(bob.tasks.getTask(taskId)).rejects.toMatchObject({ code: -32602 })
        await expect(bob.result(taskId)).rejects.toMatchObject({ code: -32602 })
        await expect(bob.tasks.cancelTask(taskId)).rejects.toMatchObject({ code: -32602 })
        // oxlint-enable no-await-in-loop
      }
      expect(JSON.stringify(bob.notifications)).not.toContain(ids[0])
    },
    { config },
  )
})

verifies('MCP-9.6', over, async (cell) => {
  const called: string[] = []
  const answers = Promise.withResolvers<string>()
  // It must not run twice.
  const once = createTool({
    metadata: { name: 'once', description: 'Does it once', inputSchema: { type: 'object' } },
    handler(input) {
      called.push((input as { readonly task: string }).task)
      return answers.promise
    },
  })
  const config = z.strictObject({})
  const create = (): ReturnType<typeof createBackend> => createBackend({ name: 'own', tools: [once] })
  const own = definePlugin({ name: 'own', key: 'plugin', config, create })
  await inGateway(
    cell,
    { own: { plugin: 'own' } },
    async ({ gateway }) => {
      const first = await openTaskClient(gateway.urls, { key: 'key-of-ada' })
      // Any of the nodes may run each of them.
      const names = ['a', 'b', 'c', 'd', 'e', 'f']
      const tasks = await Promise.all(names.map((task) => first.start('own__once', { task })))
      await eventually(() => expect(called.toSorted()).toEqual(names))
      // Their session ends while they run. The same caller collects the results in another, on the other node.
      await first.close()
      const again = await openTaskClient([gateway.urls.at(-1) as string], { key: 'key-of-ada' })
      answers.resolve('done once')
      for (const { taskId } of tasks) {
        // oxlint-disable-next-line no-await-in-loop
        expect(await again.result(taskId)).toMatchObject({ content: [{ text: 'done once' }] })
      }
      const listed = (await again.tasks.listTasks()).tasks
      expect(listed.map(({ status }) => status)).toEqual(names.map(() => 'completed'))
      expect(called).toHaveLength(names.length)
      await again.close()
    },
    { config: keys, plugins: [own] },
  )
})

verifies('MCP-9.7', over, async (cell) => {
  await withTasks(cell, async ({ taskClient, http }) => {
    const one = await taskClient()
    const { taskId, ttl, pollInterval } = await one.start('demo__echo', { message: 'soon gone' }, 300)
    expect(ttl).toBe(300)
    expect(pollInterval).toBeGreaterThan(0)
    // After its time, the task is removed.
    await eventually(async () => {
      await expect(one.tasks.getTask(taskId)).rejects.toMatchObject({ code: -32602 })
    })
    // The time that a client asks for is limited.
    const wire = await http()
    const params = { name: 'demo__echo', arguments: { message: 'x' }, task: { ttl: 1e15 } }
    const { task } = resultOf(await wire.request('tools/call', params)) as unknown as { task: { ttl: number } }
    expect(task.ttl).toBeLessThan(1e10)
  })
})

// Without `auth`, callers on this machine need no credentials; with `anonymous`, nobody does.
for (const config of [{}, { auth: { anonymous: true } }]) {
  verifies('MCP-9.8', over, async (cell) => {
    await withTasks(
      cell,
      async ({ taskClient, http }) => {
        const one = await taskClient()
        const { taskId } = await one.start('demo__echo', { message: 'the secret of one' })
        // Another client, which is the same principal: it has no credentials either.
        const other = await http()
        expect(other.opened['capabilities']).toMatchObject({ tasks: { cancel: {}, requests: { tools: { call: {} } } } })
        expect(other.opened['capabilities']).not.toMatchObject({ tasks: { list: {} } })
        // One request for each node.
        for (let times = 0; times < 2; times += 1) {
          // oxlint-disable no-await-in-loop
          for (const params of [{}, { cursor: '' }, { taskId }]) {
            expect(errorOf(await other.request('tasks/list', params))).toMatchObject({
              code: -32601,
              message: expect.stringContaining('needs credentials'),
            })
          }
          const guessed = `${taskId.slice(0, -1)}${taskId.endsWith('A') ? 'Q' : 'A'}`
          expect(errorOf(await other.request('tasks/result', { taskId: guessed })).code).toBe(-32602)
          // oxlint-enable no-await-in-loop
        }
        expect(JSON.stringify(other.received)).not.toContain(taskId)
        expect(JSON.stringify(other.received)).not.toContain('the secret of one')
        // A task outlives its session, and its client knows the id.
        await one.close()
        const again = await taskClient()
        expect(await again.result(taskId)).toMatchObject({ content: [{ text: 'the secret of one' }] })
      },
      { config },
    )
  })
}
