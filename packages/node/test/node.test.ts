import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { hashApiKey } from '@junctor/auth'
import { parseConfig } from '@junctor/config'
import { silentLog } from '@junctor/contracts'
import type { Interceptor } from '@junctor/exchange'
import { createMemoryBus, createMemoryFabric } from '@junctor/fabric'
import { createBackend, createMethod, createTool, definePlugin, type Plugin } from '@junctor/plugin-sdk'
import { replyIn, eventually } from '@junctor/testkit'
import { createNode, createWorker, type JunctorNode, type NodeOptions } from '../src/index.ts'
import type { NodeConfig } from '../src/node-config.ts'

const greetingConfig = z.object({ greet: z.string(), broken: z.boolean().optional() })

/** Returns a plugin in this process, and the names of its open backends. */
function createGreeter() {
  const open: string[] = []
  const asked: string[] = []
  const silence = createMethod({
    name: 'silence',
    description: 'Is kept after a first word',
    params: z.object({}),
    async *handler(_params, { signal }) {
      asked.push('silence')
      yield 'Hush'
      await once(signal, 'abort')
    },
  })
  const greet = (greeting: string) =>
    createTool({
      metadata: { name: 'hello', description: 'Greets', inputSchema: { type: 'object' } },
      handler: () => greeting,
    })
  const plugin = definePlugin({
    name: 'greeter',
    key: 'greet',
    config: greetingConfig,
    create({ greet: greeting, broken }, { name, log }) {
      if (broken === true) throw new Error('cannot be made')
      open.push(name)
      return createBackend({
        name,
        log,
        tools: [greet(greeting)],
        methods: [silence],
        close: () => void open.splice(open.indexOf(name), 1),
      })
    },
  })
  return { plugin: plugin as unknown as Plugin, open, asked }
}

function configOf(file: object, plugins: readonly Plugin[]): NodeConfig {
  const listen = { http: { port: 0 } }
  const parsed = parseConfig(JSON.stringify({ listen, ...file }), { file: 'junctor.json', plugins, env: {} })
  if (parsed.kind === 'invalid') throw new Error(JSON.stringify(parsed.problems))
  return parsed.config
}

const nodes: JunctorNode[] = []

afterEach(async () => {
  await Promise.all(nodes.splice(0).map((node) => node.close()))
})

async function start(file: object, options: Partial<NodeOptions> = {}) {
  const { plugin, open, asked } = createGreeter()
  const plugins = [plugin]
  const node = await createNode({ config: configOf(file, plugins), ...options })
  nodes.push(node)
  return { node, open, asked }
}

const initialize = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
}

function post(url: string, message: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      connection: 'close',
      ...headers,
    },
    body: JSON.stringify(message),
  })
}

/** Sends an `initialize` to a URL, then lists the tools. */
async function toolsAt(url: string, headers: Record<string, string> = {}): Promise<string[]> {
  const opened = await post(url, initialize, headers)
  const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '', ...headers }
  await opened.text()
  const answer = await post(url, { jsonrpc: '2.0', id: 1, method: 'tools/list' }, session)
  const { result } = replyIn(await answer.text()) as unknown as { result: { tools: { name: string }[] } }
  return result.tools.map(({ name }) => name)
}

/** Opens a WebSocket with a session. */
async function openSocket(url: string, path: string) {
  const socket = new WebSocket(url.replace(/^http/, 'ws') + path, 'mcp')
  const { promise: closed, resolve } = Promise.withResolvers<number>()
  socket.addEventListener('close', ({ code }) => resolve(code))
  await new Promise<void>((opened, failed) => {
    socket.addEventListener('open', () => opened())
    socket.addEventListener('error', () => failed(new Error('The WebSocket was refused')))
  })
  const next = async (): Promise<unknown> => {
    const [{ data }] = (await once(socket, 'message')) as [MessageEvent]
    return JSON.parse(String(data))
  }
  socket.send(JSON.stringify(initialize))
  expect(await next()).toMatchObject({ id: 0, result: {} })
  return { socket, closed, next }
}

const greetings = { one: { greet: 'Hello' }, two: { greet: 'Moin' } }

describe('a node', () => {
  it('serves what is configured over HTTP', async () => {
    const { node } = await start({ backends: greetings })
    const { http } = await node.listen()
    expect(await toolsAt(http.url)).toEqual(['one__hello', 'two__hello'])
    expect(await node.status()).toMatchObject([
      { name: 'one', state: 'up', tools: ['hello'] },
      { name: 'two', state: 'up', tools: ['hello'] },
    ])
  })

  it('serves one client on a pair of streams', async () => {
    const { node } = await start({ backends: greetings })
    const [input, output] = [new PassThrough(), new PassThrough()]
    const server = node.serveStdio(input, output)
    input.write(`${JSON.stringify(initialize)}\n`)
    const [line] = (await once(output, 'data')) as [Buffer]
    expect(JSON.parse(String(line))).toMatchObject({ id: 0, result: { serverInfo: { name: 'junctor' } } })
    input.end()
    expect(await server.closed).toBeUndefined()
  })

  it('does not wait for the answers of a client on a pair of streams that has left', async () => {
    const tool = createTool({
      metadata: { name: 'ask', description: 'Asks', inputSchema: { type: 'object' } },
      handler: async (_input, { elicit }) => (await elicit('Sure?', z.object({}))).action,
    })
    const plugin = definePlugin({
      name: 'asker',
      key: 'greet',
      config: greetingConfig,
      create: (_options, { name, log }) => createBackend({ name, log, tools: [tool] }),
    })
    const file = { backends: { one: { greet: '' } }, limits: { grace: '10m' } }
    const node = await createNode({ config: configOf(file, [plugin]) })
    nodes.push(node)
    const [input, output] = [new PassThrough(), new PassThrough()]
    const server = node.serveStdio(input, output)
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': { elicitation: {} },
    }
    const params = { name: 'one__ask', arguments: {}, _meta }
    input.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })}\n`)
    const [line] = (await once(output, 'data')) as [Buffer]
    expect(JSON.parse(String(line))).toMatchObject({ id: 1, result: { resultType: 'input_required' } })
    input.end()
    await server.closed
    await node.close()
  })

  it('serves WebSockets where it serves HTTP, within the same limits, and ends them when it closes', async () => {
    const { node } = await start({
      backends: greetings,
      tenants: { acme: { backends: ['one'] } },
      limits: { body: '1KiB', connectionsOfAddress: 2 },
    })
    const { http } = await node.listen()
    const { socket, closed, next } = await openSocket(http.url, '/acme')
    socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }))
    expect(await next()).toMatchObject({ id: 1, result: { tools: [{ name: 'one__hello' }] } })
    const other = await openSocket(http.url, '/acme')
    await expect(openSocket(http.url, '/acme')).rejects.toThrow('refused')
    other.socket.send('x'.repeat(2_000))
    expect(await other.closed).toBe(1009)
    await expect(openSocket(http.url, '/unknown')).rejects.toThrow('refused')
    await node.close()
    expect(await closed).toBe(1001)
  })

  it('ends a WebSocket whose tenant is gone', async () => {
    const file = (tenants: object) => JSON.stringify({ listen: { http: { port: 0 } }, backends: greetings, tenants })
    const own = { backends: ['one'] }
    const { plugin } = createGreeter()
    const { node } = await start({ backends: greetings, tenants: { acme: own, other: own } })
    const { http } = await node.listen()
    const { closed } = await openSocket(http.url, '/acme')
    const left = parseConfig(file({ other: own }), { file: 'junctor.json', plugins: [plugin], env: {} })
    expect((await node.reload(left)).kind).toBe('taken')
    expect(await closed).toBe(1000)
  })

  it('gives each tenant only its own backends, tools and separator', async () => {
    const { node } = await start({
      backends: greetings,
      tenants: {
        acme: { backends: ['one', 'two'], tools: { deny: ['two:*'] } },
        other: { backends: ['two'], naming: { separator: '.' } },
      },
    })
    const { http } = await node.listen()
    expect(await toolsAt(`${http.url}/acme`)).toEqual(['one__hello'])
    expect(await toolsAt(`${http.url}/other`)).toEqual(['two.hello'])
    expect((await post(`${http.url}/unknown`, initialize)).status).toBe(404)
  })

  it('accepts a caller with a key at the tenants of that key', async () => {
    const key = 'a-key-that-is-long-enough-for-a-test'
    const { node } = await start({
      backends: greetings,
      tenants: { acme: { backends: ['one'] }, other: { backends: ['two'] } },
      auth: { apiKeys: { ada: { hash: hashApiKey(key), tenants: ['acme'] } } },
    })
    const { http } = await node.listen()
    const authorization = `Bearer ${key}`
    expect(await toolsAt(`${http.url}/acme`, { authorization })).toEqual(['one__hello'])
    const statuses = await Promise.all([
      post(`${http.url}/acme`, initialize),
      post(`${http.url}/acme`, initialize, { authorization: 'Bearer another' }),
      post(`${http.url}/other`, initialize, { authorization }),
    ])
    expect(statuses.map(({ status }) => status)).toEqual([401, 401, 404])
  })

  it('refuses to listen on a public address without authentication', async () => {
    const plugins = [createGreeter().plugin]
    const config = configOf({ backends: greetings }, plugins)
    const { http } = config.listen
    const exposed = { ...config, listen: { ...config.listen, http: { ...http, host: '0.0.0.0' } } }
    const { node } = await start({}, { config: exposed })
    await expect(node.listen()).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
  })

  it('refuses to serve clients on a bus without a fabric on that bus', async () => {
    const plugins = [createGreeter().plugin]
    const config = configOf({ backends: greetings, listen: { http: { port: 0 } } }, plugins)
    const { node } = await start({}, { config: { ...config, listen: { ...config.listen, nats: true } } })
    await expect(node.listen()).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringContaining('listen.nats'),
    })
  })

  it('enforces the limits of the configuration', async () => {
    const { node } = await start({ backends: greetings, limits: { sessions: 1, depth: 8 } })
    const { http } = await node.listen()
    expect((await post(http.url, initialize)).status).toBe(200)
    const second = await post(http.url, initialize)
    expect(await second.json()).toMatchObject({ error: { data: { reason: 'overloaded' } } })
    const deep = JSON.parse(`${'['.repeat(9)}${']'.repeat(9)}`) as unknown
    expect((await post(http.url, { ...initialize, params: { deep } })).status).toBe(413)
  })

  it('runs requests through the interceptors that it was given, also after a reload', async () => {
    const seen: string[] = []
    const observe: Interceptor = (next) => (request, exchange) => {
      seen.push(`${exchange.context.tenant} ${request.method}`)
      return next(request, exchange)
    }
    const refuse: Interceptor = (next) => (request, exchange) =>
      request.method === 'ping' ? { kind: 'error', error: { code: 7, message: 'No' } } : next(request, exchange)
    const { node } = await start({ backends: greetings }, { interceptors: [observe, refuse] })
    const { http } = await node.listen()
    const opened = await post(http.url, initialize)
    const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' }
    await opened.text()
    const ping = async (): Promise<unknown> =>
      replyIn(await (await post(http.url, { jsonrpc: '2.0', id: 1, method: 'ping' }, session)).text())
    expect(await ping()).toMatchObject({ error: { code: 7 } })
    const config = configOf({ backends: {} }, [])
    const reloaded = await node.reload({ kind: 'valid', config, files: [], positions: new Map() })
    expect(reloaded).toMatchObject({ kind: 'taken' })
    expect(await ping()).toMatchObject({ error: { code: 7 } })
    expect(seen).toEqual(['default ping', 'default ping'])
  })

  it('closes the created backends when one cannot be created', async () => {
    const { plugin, open } = createGreeter()
    const config = configOf({ backends: { ...greetings, two: { greet: 'Moin', broken: true } } }, [plugin])
    const fabric = createMemoryFabric(createMemoryBus())
    await expect(createNode({ config, fabric })).rejects.toThrow('cannot be made')
    expect(open).toEqual([])
    await expect(fabric.store('any', 1_000).get('key')).rejects.toMatchObject({ code: 'CLOSED' })
  })

  it('names the address on which it cannot listen, and can still be closed', async () => {
    const { node: first } = await start({ backends: greetings })
    const { port } = (await first.listen()).http
    const { node, open } = await start({ backends: greetings, listen: { http: { port } } })
    await expect(node.listen()).rejects.toMatchObject({ code: 'LISTEN_FAILED' })
    await node.close()
    expect(open).toEqual([])
  })

  it('listens once, also when it is asked twice; after a failure it tries again', async () => {
    const { node } = await start({ backends: greetings, listen: { http: { port: 0 }, admin: { port: 0 } } })
    const { admin } = await node.listen()
    const [one, other] = await Promise.all([node.listen(), node.listen(), node.listenAdmin()])
    expect(other).toEqual(one)
    expect(await node.listenAdmin()).toEqual(admin)
    const { node: second } = await start({ backends: greetings, listen: { http: { port: one.http.port } } })
    await expect(second.listen()).rejects.toMatchObject({ code: 'LISTEN_FAILED' })
    await node.close()
    expect((await second.listen()).http.port).toBe(one.http.port)
  })

  it.each([
    ['the content of a file', { backends: {} }, 'got one without "folder"'],
    ['the whole answer of a parse', { kind: 'valid', config: {} }, 'got one without "folder"'],
    ['nothing', undefined, 'got one without "folder"'],
  ])('names what is wrong with %s in place of its configuration', async (_what, config, message) => {
    const raw = { config: config as unknown as NodeConfig }
    const refused = { code: 'CONFIG_INVALID', message: expect.stringContaining(message) }
    await expect(createNode(raw)).rejects.toMatchObject(refused)
    await expect(createWorker(raw)).rejects.toMatchObject(refused)
    const { node } = await start({ backends: greetings })
    const reloaded = await node.reload({ kind: 'valid', ...raw, files: [], positions: new Map() })
    expect(reloaded).toMatchObject({ kind: 'refused', message: refused.message })
  })

  it('answers waiting HTTP requests with an error after the grace period', async () => {
    const warned: unknown[] = []
    const log = { ...silentLog, warn: (...line: unknown[]) => void warned.push(line) }
    const file = { backends: { one: { greet: 'Hello' } }, limits: { grace: '100ms' } }
    const { node, asked } = await start(file, { log })
    const { http } = await node.listen()
    const opened = await post(http.url, { jsonrpc: '3.0', id: 0, method: 'rpc.extensions' })
    const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' }
    const waiting = [{}, session].flatMap((headers) =>
      [{}, { stream: true }].map((options) =>
        post(http.url, { jsonrpc: '3.0', id: JSON.stringify(options), method: 'silence', options }, headers),
      ),
    )
    await eventually(() => expect(asked).toHaveLength(waiting.length))
    const closed = node.close()
    for (const response of waiting) {
      const text = await (await response).text()
      expect(text).toContain('"reason":"outcome_unknown"')
    }
    await closed
    const message = 'limits.grace is over: requests end with an error, without their answer'
    expect(warned).toEqual([[message, { requests: waiting.length }]])
  })

  it('leaves nothing open when it closes, also when it is closed twice', async () => {
    const bus = createMemoryBus()
    const { node, open } = await start({ backends: greetings }, { fabric: createMemoryFabric(bus) })
    const { http } = await node.listen()
    await toolsAt(http.url)
    const server = node.serveStdio(new PassThrough(), new PassThrough())
    expect(open).toEqual(['one', 'two'])
    await Promise.all([node.close(), node.close()])
    await node.close()
    await server.closed
    expect([open, bus.members.size, bus.calls.size]).toEqual([[], 0, 0])
    await expect(post(http.url, initialize)).rejects.toThrow('fetch failed')
    await expect(node.listen()).rejects.toMatchObject({ code: 'CLOSED' })
  })

  it('closes while it begins to listen, and then serves nobody', async () => {
    const { node } = await start({ backends: greetings, listen: { http: { port: 0, host: 'localhost' } } })
    const listening = node.listen().catch(() => undefined)
    await turn()
    await node.close()
    const opened = await listening
    expect(await (opened && post(opened.http.url, initialize).catch(() => undefined))).toBeUndefined()
    expect(await node.serveStdio(new PassThrough(), new PassThrough()).closed).toBeUndefined()
  })
})
