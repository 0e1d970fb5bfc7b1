import { afterEach, expect, it } from 'vitest'
import * as z from 'zod'
import { parseConfig } from '@junctor/config'
import { createBackend, createTool, definePlugin, type Plugin } from '@junctor/plugin-sdk'
import { eventually } from '@junctor/testkit'
import { createNode, type JunctorNode } from '../src/index.ts'
import type { NodeConfig } from '../src/node-config.ts'
import { open, post } from './mcp-post.ts'

const nodes: JunctorNode[] = []

afterEach(async () => {
  await Promise.all(nodes.splice(0).map((node) => node.close()))
})

/** A plugin that records what happens to its backends, in order. */
function createRecorder() {
  const order: string[] = []
  const state = { sick: false, finish: Promise.withResolvers<void>() }
  const plugin = definePlugin({
    name: 'recorder',
    key: 'record',
    config: z.strictObject({ record: z.string(), pin: z.string().meta({ writeOnly: true }).optional() }),
    create({ record, pin }, { name, log, counter }) {
      const calls = counter('calls')
      order.push(`${record} create`)
      return createBackend({
        name,
        log,
        start: () => void order.push(`${record} start`),
        health() {
          if (state.sick) throw new Error(`no answer for ${pin}`)
        },
        async drain() {
          order.push(`${record} drain`)
          await state.finish.promise
          order.push(`${record} drained`)
        },
        close: () => void order.push(`${record} close`),
        tools: [
          createTool({
            metadata: { name: 'call', description: 'Is counted', inputSchema: { type: 'object' } },
            handler() {
              calls.add(1, 'ordinary')
              return record
            },
          }),
        ],
      })
    },
  })
  return { plugin: plugin as unknown as Plugin, order, state }
}

const admin = { port: 0, token: 'a-token-of-this-test' }

function parse(backends: object, plugins: readonly Plugin[]) {
  const file = { listen: { http: { port: 0 }, admin }, backends, limits: { grace: '2s' } }
  return parseConfig(JSON.stringify(file), { file: 'junctor.json', plugins, env: {} })
}

function configOf(backends: object, plugins: readonly Plugin[]): NodeConfig {
  const parsed = parse(backends, plugins)
  if (parsed.kind === 'invalid') throw new Error(JSON.stringify(parsed.problems))
  return parsed.config
}

async function start(backends: object) {
  const recorder = createRecorder()
  const node = await createNode({ config: configOf(backends, [recorder.plugin]) })
  nodes.push(node)
  const { http, admin: operator } = await node.listen()
  const read = async (path: string): Promise<string> => {
    const headers = { authorization: `Bearer ${admin.token}` }
    return (await fetch(`${operator?.url}${path}`, { headers })).text()
  }
  return { ...recorder, node, http, read }
}

/** Calls the tool of a backend in a new session. */
async function call(url: string, name: string): Promise<string> {
  const session = await open(url)
  const params = { name, arguments: {} }
  const { body } = await post(url, { id: 1, method: 'tools/call', params }, session)
  return JSON.stringify(body)
}

it('starts a backend before its first link, and lets it finish before it is closed', async () => {
  const { node, http, order, state } = await start({ one: { record: 'A' } })
  expect(order).toEqual(['A create'])
  expect(await call(http.url, 'one__call')).toContain('"text":"A"')
  await call(http.url, 'one__call')
  expect(order).toEqual(['A create', 'A start'])
  const closed = node.close()
  await eventually(() => expect(order.at(-1)).toBe('A drain'))
  state.finish.resolve()
  await closed
  expect(order).toEqual(['A create', 'A start', 'A drain', 'A drained', 'A close'])
})

it('lets a backend that a reload has replaced finish before it is closed, while the new one works', async () => {
  const { node, http, plugin, order, state } = await start({ one: { record: 'A' } })
  await call(http.url, 'one__call')
  await node.reload(parse({ one: { record: 'B' } }, [plugin]))
  await eventually(() => expect(order).toContain('A drain'))
  expect(await call(http.url, 'one__call')).toContain('"text":"B"')
  expect(order).not.toContain('A close')
  state.finish.resolve()
  await eventually(() => expect(order.filter((one) => one.startsWith('A'))).toContain('A close'))
  expect(order.filter((one) => one.startsWith('A')).slice(-3)).toEqual(['A drain', 'A drained', 'A close'])
})

it('does not wait for ever for a backend that does not finish', async () => {
  const { node, order } = await start({ one: { record: 'A' } })
  const began = performance.now()
  await node.close()
  expect(performance.now() - began).toBeGreaterThan(1_900)
  expect(order).toEqual(['A create', 'A drain', 'A close'])
})

it('shows a backend that is not healthy as down, without its secrets, until it is healthy', async () => {
  const { http, state, read } = await start({ one: { record: 'A', pin: 'open sesame' } })
  state.finish.resolve()
  state.sick = true
  await call(http.url, 'one__call')
  const status = JSON.parse(await read('/status')) as { backends: { state: string; error: string }[] }
  expect(status.backends).toMatchObject([
    { state: 'down', error: expect.stringContaining('is not healthy: no answer') },
  ])
  expect(JSON.stringify(status)).not.toContain('sesame')
  expect(await read('/metrics')).toContain('mcp_backend_up{backend="one"} 0')
  state.sick = false
  await eventually(async () => expect(await call(http.url, 'one__call')).toContain('"text":"A"'))
  expect(await read('/metrics')).toContain('mcp_backend_up{backend="one"} 1')
})

it('shows what a plugin counts in the metrics', async () => {
  const { http, state, read } = await start({ one: { record: 'A' } })
  state.finish.resolve()
  await call(http.url, 'one__call')
  await call(http.url, 'one__call')
  expect(await read('/metrics')).toContain(
    'junctor_plugin_counts_total{backend="one",counter="calls",value="ordinary"} 2',
  )
})
