import { parseConfig } from '@junctor/config'
import { createMemoryBus, createMemoryFabric } from '@junctor/fabric'
import { createBackend, createTool, definePlugin, type Plugin } from '@junctor/plugin-sdk'
import { afterEach, expect, test, vi } from 'vitest'
import * as z from 'zod'
import { createNode, type JunctorNode } from '../src/index.ts'
import { open, post } from './mcp-post.ts'

type Create = (name: string) => unknown

afterEach(() => void vi.useRealTimers())

/** Starts a node whose one backend, `odd`, is created like this. */
async function nodeWith(create: Create): Promise<JunctorNode> {
  const definition = { name: 'odd', key: 'odd', config: z.object({ odd: z.boolean() }) }
  const plugin = definePlugin({ ...definition, create: (_config, { name }) => create(name) as never })
  const text = JSON.stringify({ listen: { http: { port: 0 } }, backends: { odd: { odd: true } } })
  const parsed = parseConfig(text, { file: 'junctor.json', plugins: [plugin as unknown as Plugin], env: {} })
  if (parsed.kind === 'invalid') throw new Error(JSON.stringify(parsed.problems))
  return createNode({ config: parsed.config, fabric: createMemoryFabric(createMemoryBus()) })
}

/** Returns what the start of such a node failed with. */
async function failureWith(create: Create): Promise<unknown> {
  return nodeWith(create).then(
    (node) => node.close(),
    (error: unknown) => error,
  )
}

function thrown(value: unknown): Create {
  return () => {
    throw value
  }
}

test.each<[string, Create, string]>([
  ['throws an error', thrown(new Error('no key')), 'Backend "odd" could not be created: no key'],
  ['throws a text', thrown('no key'), 'Backend "odd" could not be created: no key'],
  ['rejects with nothing', () => Promise.reject(), 'Backend "odd" could not be created: undefined'],
  ['returns nothing', () => undefined, 'Backend "odd" could not be created: expected a backend, got nothing'],
  ['returns a text', () => 'odd', 'Backend "odd" could not be created: expected a backend, got a string'],
  ['returns another object', () => ({}), 'Backend "odd" could not be created: expected a backend, got an object'],
])('a start fails with the name of a backend whose plugin %s', async (_what, create, message) => {
  expect(String(await failureWith(create))).toContain(message)
})

test('a plugin that never makes its backend does not keep the node from ending its start', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const failing = failureWith(() => new Promise(() => {}))
  await vi.advanceTimersByTimeAsync(31_000)
  expect(String(await failing)).toContain('Backend "odd" could not be created: its plugin has not made it after 30 s')
})

test('a backend that its plugin makes too late is closed', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { promise: closed, resolve: close } = Promise.withResolvers<void>()
  const late = Promise.withResolvers<unknown>()
  const failing = failureWith((name) => late.promise.then(() => createBackend({ name, close })))
  await vi.advanceTimersByTimeAsync(31_000)
  await failing
  late.resolve(undefined)
  await expect(closed).resolves.toBeUndefined()
})

test('a backend that its plugin gives another name has the name of the configuration', async () => {
  const metadata = { name: 'hello', description: 'Greets', inputSchema: { type: 'object' } } as const
  const tools = [createTool({ metadata, handler: () => 'hello' })]
  const node = await nodeWith(() => createBackend({ name: 'another', tools }))
  try {
    const { url } = (await node.listen()).http
    const { body } = await post(url, { id: 1, method: 'tools/list' }, await open(url))
    expect(body['result']).toMatchObject({ tools: [{ name: 'odd__hello' }] })
  } finally {
    await node.close()
  }
})
