import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import type { JsonObject } from '@junctor/jsonrpc'
import { httpToolsPlugin } from '@junctor/plugin-http-tools'
import { compiledOnce, eventually, sendJson, startScriptedServer } from '@junctor/testkit'
import { inGateway, type Scene } from '../src/in-gateway.ts'
import { startNodeProcess } from '../src/node-process.ts'
import { errorOf, resultOf, textOf } from '../src/result-of.ts'
import { type AtNode, openSessionAtNodes } from '../src/session-at-nodes.ts'
import { verifies } from '../src/verifies.ts'
import { openHttpClient, type WireClient } from '../src/wire-client.ts'

const server = fileURLToPath(new URL('../fixtures/fragile-server.ts', import.meta.url))
const dyingPlugin = fileURLToPath(new URL('../fixtures/dying-plugin.ts', import.meta.url))
let folder: string
let count = 0

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'junctor-lost-'))
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** A new path in the folder of the test. */
const path = (): string => join(folder, String((count += 1)))
const runsOf = (file: string): number => (existsSync(file) ? readFileSync(file, 'utf8').length / 'run\n'.length : 0)

function fragile(options: object = {}, entry: object = {}): Readonly<Record<string, object>> {
  const args = [server, JSON.stringify(options)]
  return { fragile: { command: process.execPath, args, env: compiledOnce, prefix: '', ...entry } }
}

const call = (client: WireClient, name: string, given: JsonObject): Promise<JsonObject> =>
  client.request('tools/call', { name, arguments: given })

/** What the process that has answered says of itself. */
const processOf = (response: JsonObject) =>
  JSON.parse(textOf(response)) as { readonly pid: number; readonly received: readonly string[] }

const exited = { code: -32_000, data: { reason: 'backend_exited', backend: 'fragile', retryable: false } }

for (const tool of ['look', 'put']) {
  verifies('REL-1', tool === 'look' ? {} : { ways: ['http'] }, async (cell) => {
    // Only nodes on NATS share workers.
    const entry = tool === 'put' ? { concurrency: 1 } : cell.nodes === 2 ? { runsOn: 'workers' } : {}
    await inGateway(cell, fragile({}, entry), async ({ client }) => {
      const [one, runs] = [await client(), path()]
      const { received } = processOf(await call(one, tool, { runs, deaths: 1 }))
      expect(received.filter((method) => method === 'tools/call')).toHaveLength(1)
      expect(runsOf(runs)).toBe(2)
    })
  })
}

verifies('REL-1', { ways: ['http'] }, async (cell) => {
  const reads = [
    (runs: string) => ['prompts/get', { name: 'ask', arguments: { runs } }],
    (runs: string) => ['resources/read', { uri: `file://${runs}` }],
    (runs: string) => [
      'completion/complete',
      { ref: { type: 'ref/prompt', name: 'ask' }, argument: { name: 'runs', value: runs } },
    ],
  ] as const
  for (const read of reads) {
    // Each on a link of its own: a process that dies again and again is started with growing pauses.
    await inGateway(cell, fragile(), async ({ client }) => {
      const [one, runs] = [await client(), path()]
      const [method, params] = read(runs)
      expect(resultOf(await one.request(method as string, params as JsonObject))).toBeDefined()
      expect(runsOf(runs)).toBe(2)
    })
  }
})

verifies('REL-2', { ways: ['http', 'stdio'] }, async (cell) => {
  await inGateway(cell, fragile(), async ({ client }) => {
    const [one, runs, seen] = [await client(), path(), path()]
    expect(errorOf(await call(one, 'pay', { runs, deaths: 1 }))).toMatchObject(exited)
    expect(runsOf(runs)).toBe(1)
    const params = { name: 'look', arguments: { runs: seen, deaths: 1, progress: true }, _meta: { progressToken: 'p' } }
    expect(errorOf(await one.request('tools/call', params))).toMatchObject(exited)
    expect(one.messagesOf('notifications/progress')).toHaveLength(1)
    expect(runsOf(seen)).toBe(1)
  })
})

verifies('REL-3', { ways: ['http'] }, async (cell) => {
  const diesOf = path()
  await inGateway(cell, fragile({ diesOf }), async ({ client }) => {
    const [one, runs] = [await client(), path()]
    const first = processOf(await call(one, 'pay', { runs }))
    writeFileSync(diesOf, '')
    process.kill(first.pid, 'SIGKILL')
    await expect.poll(() => isAlive(first.pid)).toBe(false)
    // The process may be gone before the gateway has noticed: then this call may have reached it.
    await expect
      .poll(async () => (await one.request('tools/call', { name: 'pay', arguments: { runs } }))['result'])
      .toBeDefined()
    expect(existsSync(diesOf)).toBe(false)
    expect(runsOf(runs)).toBe(2)
  })
})

verifies('REL-4', { ways: ['http'] }, async (cell) => {
  await inGateway(cell, fragile(), async ({ client }) => {
    const [one, runs] = [await client(), path()]
    expect(errorOf(await call(one, 'look', { runs, deaths: 99 }))).toMatchObject(exited)
    expect(runsOf(runs)).toBe(2)
  })
})

verifies('REL-4', { ways: ['http'] }, async (cell) => {
  await inGateway(cell, fragile({}, { retry: false }), async ({ client }) => {
    const [one, runs] = [await client(), path()]
    expect(errorOf(await call(one, 'look', { runs, deaths: 1 }))).toMatchObject(exited)
    expect(runsOf(runs)).toBe(1)
  })
})

verifies('REL-4', { ways: ['http'] }, async (cell) => {
  const waitsFor = path()
  writeFileSync(waitsFor, '')
  await inGateway(cell, fragile({ waitsFor }, { timeout: '2s' }), async ({ client }) => {
    const [one, late, runs] = [await client(), path(), path()]
    // The next process starts, and does not answer its handshake.
    const began = performance.now()
    const ended = await call(one, 'look', { runs: late, deaths: 1, removes: waitsFor })
    expect(errorOf(ended)).toMatchObject({ code: -32_000, data: { reason: 'deadline_exceeded' } })
    expect(performance.now() - began).toBeLessThan(10_000)
    writeFileSync(waitsFor, '')
    expect(processOf(await call(one, 'look', { runs })).received).not.toContain('notifications/cancelled')
    expect([runsOf(late), runsOf(runs)]).toEqual([1, 1])
  })
})

verifies('REL-4', { ways: ['http'] }, async (cell) => {
  const waitsFor = path()
  writeFileSync(waitsFor, '')
  await inGateway(cell, fragile({ waitsFor }), async ({ client }) => {
    const [one, cancelled, runs] = [await client(), path(), path()]
    const given = { name: 'look', arguments: { runs: cancelled, deaths: 1, removes: waitsFor } }
    await one.send({ jsonrpc: '2.0', id: 'cancelled', method: 'tools/call', params: given })
    await expect.poll(() => existsSync(waitsFor)).toBe(false)
    await expect.poll(() => runsOf(cancelled)).toBe(1)
    await one.notify('notifications/cancelled', { requestId: 'cancelled' })
    // A cancel over another node, too, is there before the answer to what is sent after it.
    expect(resultOf(await one.request('ping'))).toEqual({})
    writeFileSync(waitsFor, '')
    const { received } = processOf(await call(one, 'look', { runs }))
    expect(received.filter((method) => method === 'tools/call')).toHaveLength(1)
    expect([runsOf(cancelled), runsOf(runs)]).toEqual([1, 1])
  })
})

verifies('REL-5', { ways: ['http'] }, async (cell) => {
  await inGateway(cell, fragile(), async ({ client }) => {
    const [one, runs] = [await client(), path()]
    const other = await client()
    const before = processOf(await call(other, 'pay', { runs: path() })).pid
    await one.request('logging/setLevel', { level: 'error' })
    await one.request('resources/subscribe', { uri: 'file:///a' })
    const { pid, received } = processOf(await call(one, 'look', { runs, deaths: 1 }))
    expect(
      received.filter((method) => method === 'logging/setLevel' || method === 'resources/subscribe').toSorted(),
    ).toEqual(['logging/setLevel', 'resources/subscribe'])
    expect(before).not.toBe(pid)
    expect(processOf(await call(other, 'pay', { runs: path() })).pid).toBe(before)
  })
})

verifies('REL-13', {}, async (cell) => {
  const names = path()
  await inGateway(cell, fragile({ names }), async ({ client }) => {
    const one = await client()
    const offered = async () => {
      const { tools } = resultOf(await one.request('tools/list')) as { readonly tools: readonly JsonObject[] }
      return tools.map(({ name }) => name)
    }
    expect(await offered()).toEqual(['look', 'put', 'pay'])
    writeFileSync(names, 'new')
    await call(one, 'look', { runs: path(), deaths: 1 })
    await eventually(() => expect(one.messagesOf('notifications/tools/list_changed')).toHaveLength(1))
    expect(await offered()).toEqual(['look', 'put', 'pay', 'new'])
  })
})

verifies('REL-11', {}, async (cell) => {
  await inGateway(cell, fragile({ updates: true }), async ({ client }) => {
    const one = await client()
    const { pid } = processOf(await call(one, 'pay', { runs: path() }))
    await one.request('resources/subscribe', { uri: 'file:///a' })
    const updates = () => one.messagesOf('notifications/resources/updated')
    await eventually(() => expect(updates()).toHaveLength(1))
    process.kill(pid, 'SIGKILL')
    // One of the server, which is subscribed to again, and one because nobody knows what happened meanwhile.
    await eventually(() => expect(updates()).toHaveLength(3))
    expect(processOf(await call(one, 'pay', { runs: path() })).pid).not.toBe(pid)
  })
})

verifies(['REL-1', 'REL-2'], { ways: ['http'] }, async (cell) => {
  const calls: string[] = []
  const web = await startScriptedServer(({ body }, response) => {
    const { id, method, params } = body as { id?: number; method?: string; params?: { name?: string } }
    if (method === 'tools/call') calls.push(params?.name ?? '')
    const isFirst = calls.filter((name) => name === params?.name).length === 1
    if (id === undefined) response.writeHead(202).end()
    // Reset before any answer, the first time.
    else if (method === 'tools/call' && isFirst) response.destroy()
    else sendJson(response, { jsonrpc: '2.0', id, result: resultOfWeb(method) })
  })
  try {
    await inGateway(cell, { web: { url: `${web.origin}/mcp`, prefix: '' } }, async ({ client }) => {
      const one = await client()
      expect(textOf(await one.request('tools/call', { name: 'look', arguments: {} }))).toBe('well')
      expect(errorOf(await one.request('tools/call', { name: 'pay', arguments: {} })).data).toMatchObject({
        reason: 'backend_exited',
      })
      expect(calls).toEqual(['look', 'look', 'pay'])
    })
  } finally {
    await web.close()
  }
})

verifies('REL-4', { ways: ['http'] }, async (cell) => {
  const waitsFor = path()
  writeFileSync(waitsFor, '')
  await inGateway(cell, fragile({ waitsFor }), async ({ gateway, client }) => {
    const session = await openSessionAtNodes(gateway.urls)
    onTestFinished(() => session.close())
    const [one, last] = [session.nodes[0] as AtNode, session.nodes.at(-1) as AtNode]
    const [ended, runs] = [path(), path()]
    const given = { name: 'look', arguments: { runs: ended, deaths: 1, removes: waitsFor } }
    const open = await one.post({ jsonrpc: '2.0', id: 'ended', method: 'tools/call', params: given })
    await expect.poll(() => existsSync(waitsFor)).toBe(false)
    await expect.poll(() => runsOf(ended)).toBe(1)
    // The session ends, at another node if there is one, while the call waits for the next process.
    expect((await last.delete()).status).toBeLessThan(300)
    await open.ended
    const answers = one.received.filter(({ message }) => message['id'] === 'ended')
    expect(answers.filter(({ message }) => 'result' in message)).toEqual([])
    expect(answers.length).toBeLessThanOrEqual(1)
    writeFileSync(waitsFor, '')
    expect(processOf(await call(await client(), 'look', { runs })).received).toContain('tools/call')
    expect([runsOf(ended), runsOf(runs)]).toEqual([1, 1])
  })
})

test('a plugin in a process of its own that is killed in mid-call runs again what it may run twice', async () => {
  const dying = { plugin: dyingPlugin, isolation: 'process', prefix: '' }
  const { url } = await startNodeProcess({ backends: { dying } })
  const one = await openHttpClient({ urls: [url] }, { revision: '2025-11-25' })
  onTestFinished(() => one.close())
  expect(textOf(await call(one, 'look', { runs: 'look', deaths: 1 }))).toBe('run 2')
  expect(errorOf(await call(one, 'pay', { runs: 'pay', deaths: 1 })).data).toMatchObject({ reason: 'backend_exited' })
  expect(textOf(await call(one, 'pay', { runs: 'pay', deaths: 1 }))).toBe('run 2')
  const params = { name: 'look', arguments: { runs: 'seen', deaths: 1, progress: true }, _meta: { progressToken: 'p' } }
  expect(errorOf(await one.request('tools/call', params)).data).toMatchObject({ reason: 'backend_exited' })
  expect(one.messagesOf('notifications/progress')).toHaveLength(1)
  // A process that dies again and again is started with growing pauses.
  await expect
    .poll(async () => (await call(one, 'look', { runs: 'seen', deaths: 1 }))['result'], { timeout: 40_000 })
    .toMatchObject({ content: [{ text: 'run 2' }] })
})

verifies(['REL-1', 'REL-2'], { ways: ['http'] }, async (cell) => {
  await inGateway(cell, fragile(), async ({ client }) => {
    const one = await client()
    // As tasks: the first may run twice, and the second not.
    const outcomeOf = async (name: string, runs: string): Promise<JsonObject> => {
      const created = await one.request('tools/call', { name, arguments: { runs, deaths: 1 }, task: { ttl: 60_000 } })
      const { taskId } = resultOf(created)['task'] as { readonly taskId: string }
      return one.request('tasks/result', { taskId })
    }
    const [twice, once] = [path(), path()]
    expect(processOf(await outcomeOf('look', twice)).received).toContain('tools/call')
    expect(errorOf(await outcomeOf('pay', once)).data).toMatchObject({ reason: 'backend_exited' })
    expect([runsOf(twice), runsOf(once)]).toEqual([2, 1])
  })
})

function resultOfWeb(method: string | undefined): JsonObject {
  if (method === 'initialize') {
    const serverInfo = { name: 'web', version: '1' }
    return { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo }
  }
  if (method === 'tools/call') return { content: [{ type: 'text', text: 'well' }] }
  const [look, pay] = ['look', 'pay'].map((name) => ({ name, inputSchema: { type: 'object' } }))
  return { tools: [{ ...look, annotations: { readOnlyHint: true } }, pay] as unknown as JsonObject[] }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** An HTTP API and a component, each of whose first requests for a call loses its connection. */
async function startLosingApi() {
  const calls: string[] = []
  const component = { name: 'part', description: 'Looks', inputSchema: { type: 'object' } }
  const operation = (operationId: string) => ({ operationId, responses: {} })
  const paths = { '/look': { get: operation('look') }, '/pay': { post: operation('pay') } }
  const api = await startScriptedServer(({ method, path: at }, response) => {
    if (at === '/openapi.json')
      return sendJson(response, { openapi: '3.1.0', info: { title: 'api', version: '1' }, paths })
    if (at === '/part' && method === 'GET')
      return sendJson(response, { ...component, annotations: { readOnlyHint: true } })
    calls.push(`${method} ${at}`)
    if (calls.filter((line) => line === `${method} ${at}`).length === 1) return void response.destroy()
    sendJson(response, { content: [{ type: 'text', text: 'well' }] })
  })
  onTestFinished(() => api.close())
  const { origin } = api
  const backends = (entry: object) => ({
    api: { openapi: `${origin}/openapi.json`, prefix: '', ...entry },
    parts: { tool: `${origin}/part`, prefix: '', ...entry },
  })
  return { calls, backends }
}

verifies(['REL-1', 'REL-2'], { ways: ['http'] }, async (cell) => {
  const { calls, backends } = await startLosingApi()
  const body = async ({ client }: Scene) => {
    const one = await client()
    expect(textOf(await call(one, 'look', {}))).toContain('well')
    expect(textOf(await call(one, 'part', {}))).toBe('well')
    expect(errorOf(await call(one, 'pay', {})).data).toMatchObject({ reason: 'backend_exited', retryable: false })
    expect(calls).toEqual(['GET /look', 'GET /look', 'POST /part', 'POST /part', 'POST /pay'])
  }
  await inGateway(cell, backends({}), body, { plugins: [httpToolsPlugin] })
})

verifies('REL-4', { ways: ['http'] }, async (cell) => {
  const { calls, backends } = await startLosingApi()
  const body = async ({ client }: Scene) => {
    const one = await client()
    for (const name of ['look', 'part']) {
      expect(errorOf(await call(one, name, {})).data).toMatchObject({ reason: 'backend_exited' })
    }
    expect(calls).toEqual(['GET /look', 'POST /part'])
  }
  await inGateway(cell, backends({ retry: false }), body, { plugins: [httpToolsPlugin] })
})
