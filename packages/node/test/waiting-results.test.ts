import { setTimeout as after } from 'node:timers/promises'
import { parseConfig } from '@junctor/config'
import type { JsonObject } from '@junctor/jsonrpc'
import { createBackend, createTool, definePlugin, type Plugin } from '@junctor/plugin-sdk'
import { eventually, type NatsServer, startNatsServer } from '@junctor/testkit'
import { afterEach, beforeEach, expect, test } from 'vitest'
import * as z from 'zod'
import { createNode, type JunctorNode } from '../src/index.ts'

// Clients wait for the results of tasks at two nodes while the only NATS server is killed. After any answer, the id of
// the request can be used again.

let work: PromiseWithResolvers<void>

const plugin = definePlugin({
  name: 'worker',
  key: 'works',
  config: z.object({ works: z.boolean() }),
  create: (_config, { name, log }) =>
    createBackend({
      name,
      log,
      tools: [
        createTool({
          metadata: { name: 'work', description: 'Ends when the test allows it', inputSchema: { type: 'object' } },
          handler: async () => {
            await work.promise
            return 'done'
          },
        }),
      ],
    }),
}) as unknown as Plugin

let server: NatsServer
const nodes: JunctorNode[] = []

beforeEach(async () => {
  work = Promise.withResolvers()
  server = await startNatsServer()
})

afterEach(async () => {
  work.resolve()
  await Promise.all(nodes.splice(0).map((node) => node.close()))
  await server.stop()
})

/** Starts a node, and returns its address. */
async function start(): Promise<string> {
  const file = {
    fabric: { nats: { servers: [server.url], key: 'k'.repeat(32) } },
    listen: { http: { port: 0 } },
    backends: { ours: { works: true } },
  }
  const parsed = parseConfig(JSON.stringify(file), { file: 'junctor.json', plugins: [plugin], env: {} })
  if (parsed.kind === 'invalid') throw new Error(JSON.stringify(parsed.problems))
  const node = await createNode({ config: parsed.config })
  nodes.push(node)
  return (await node.listen()).http.url
}

type Ask = (url: string, method: string, params: JsonObject, id: string) => Promise<JsonObject>

interface Client {
  /** Resolves when the response begins: with its answer, or with a stream that will carry it. */
  readonly send: (...asked: Parameters<Ask>) => Promise<Response>
  readonly ask: Ask
}

async function answerIn(response: Response): Promise<JsonObject> {
  const text = await response.text()
  const last = text.startsWith('{') ? text : (text.split('\n').findLast((line) => line.startsWith('data: {')) ?? '')
  return JSON.parse(last.replace('data: ', '')) as JsonObject
}

/** Opens a session at a node. */
async function open(home: string): Promise<Client> {
  const accept = 'application/json, text/event-stream'
  const headers: Record<string, string> = { 'content-type': 'application/json', accept, connection: 'close' }
  const send: Client['send'] = (url, method, params, id) =>
    fetch(url, { method: 'POST', headers, body: JSON.stringify({ jsonrpc: '2.0', id, method, params }) })
  const clientInfo = { name: 'c', version: '1' }
  const hello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }
  const opened = await send(home, 'initialize', hello, 'open')
  await opened.text()
  headers['mcp-session-id'] = opened.headers.get('mcp-session-id') ?? ''
  return { send, ask: async (...asked) => answerIn(await send(...asked)) }
}

async function begin(ask: Ask, url: string): Promise<string> {
  const params = { name: 'ours__work', arguments: {}, task: { ttl: 600_000 } }
  const { result } = await ask(url, 'tools/call', params, `call ${Math.random()}`)
  return (result as { task: { taskId: string } }).task.taskId
}

const reasonOf = ({ error }: JsonObject): unknown => (error as { data?: JsonObject } | undefined)?.data?.['reason']

/** Waits, at each of two nodes, for a task that was started at each. The nodes take turns in running them. */
async function wait() {
  const urls = [await start(), await start()]
  const { ask, send } = await open(urls[0] ?? '')
  const tasks = await Promise.all([...urls, ...urls].map((url) => begin(ask, url)))
  const asked = urls.flatMap((url) => tasks.map((taskId) => ({ url, taskId })))
  const sendAsked = ({ url, taskId }: (typeof asked)[number]): Promise<Response> =>
    send(url, 'tasks/result', { taskId }, `result of ${taskId}`)
  const result = async (one: (typeof asked)[number]): Promise<JsonObject> => answerIn(await sendAsked(one))
  const answers = (await Promise.all(asked.map(sendAsked))).map(answerIn)
  const refused = await Promise.all(asked.map(result))
  expect(new Set(refused.map(reasonOf))).toEqual(new Set(['duplicate_id']))
  return { urls, ask, asked, result, answers }
}

test('a waiting client receives the result although the server was down several times for a moment', async () => {
  const { urls, ask, asked, result, answers } = await wait()
  for (let time = 1; time <= 3; time += 1) {
    await server.kill()
    await server.restart()
    // A request through one node to the session's home node, the other one, shows that both are connected again.
    await eventually(async () => {
      const pings = await Promise.all(urls.map((url) => ask(url, 'ping', {}, `ping ${Math.random()}`)))
      expect(pings).toEqual(urls.map(() => expect.objectContaining({ result: {} })))
    }, 15_000)
    await after(700)
  }
  work.resolve()
  const done = expect.objectContaining({
    result: expect.objectContaining({ content: [{ type: 'text', text: 'done' }] }),
  })
  expect(await Promise.all(answers)).toEqual(asked.map(() => done))
  expect(await Promise.all(asked.map(result))).toEqual(asked.map(() => done))
}, 60_000)

test('an id can be reused after any answer to its request, while the server is down for a long time', async () => {
  const { asked, result, answers } = await wait()
  const again = answers.map(async (answer, at) => {
    await answer
    const one = asked[at]
    return one === undefined ? undefined : reasonOf(await result(one))
  })
  await server.kill()
  // Longer than nodes wait for each other.
  await after(7_500)
  await server.restart()
  work.resolve()
  expect(await Promise.all(again)).not.toContain('duplicate_id')
}, 60_000)
