import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { CallToolRequestSchema, GetPromptRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { type TelemetryEvent, type JsonObject, payloadOf } from '@junctor/plugin-sdk/link'
import { createRequest, recordClient, recordExchange, eventually } from '@junctor/testkit'
import { expect, test, vi } from 'vitest'
import { scopeFor } from '../test/lean-server.ts'
import { tracedExchange } from '../test/traced-exchange.ts'
import { backendFromMcpServer } from './backend-from-mcp-server.ts'

const never = new AbortController().signal

test('every link has its own server, made for its scope', async () => {
  const create = vi.fn<() => McpServer>(() => new McpServer({ name: 'here', version: '1' }))
  const backend = backendFromMcpServer(create, { name: 'here' })
  const client = recordClient()
  const scopes = [scopeFor(client, { session: 's_1' }), scopeFor(client, { session: 's_2' })]
  const links = await Promise.all(scopes.map((scope) => backend.open(scope, client, never)))
  expect(create.mock.calls).toEqual(scopes.map((scope) => [scope]))
  await Promise.all(links.map((link) => link.close()))
})

test('with several calls in flight, the server itself names the call of each message', async () => {
  const server = new Server({ name: 'low', version: '1' }, { capabilities: { tools: {}, logging: {} } })
  const waiting: (() => void)[] = []
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { sendNotification }) => {
    await new Promise<void>((resolve) => {
      waiting.push(resolve)
    })
    await sendNotification({ method: 'notifications/message', params: { level: 'info', data: params.name } })
    return { content: [] }
  })
  const backend = backendFromMcpServer(() => server, { name: 'low' })
  const client = recordClient()
  const shared = scopeFor(client, { principal: undefined, session: undefined })
  const link = await backend.open(shared, client, never)
  const recorded = ['one', 'two'].map((name) => {
    const { exchange, events } = recordExchange()
    return { events, outcome: Promise.resolve(link.call(createRequest('tools/call', { name }), exchange)) }
  })
  await eventually(() => expect(waiting).toHaveLength(2))
  for (const go of waiting) go()
  await Promise.all(recorded.map(({ outcome }) => outcome))
  const logged = recorded.map(({ events }) =>
    events.map((event) =>
      (event as { notification?: { params?: { value(): unknown } } }).notification?.params?.value(),
    ),
  )
  expect(logged).toEqual([[{ level: 'info', data: 'one' }], [{ level: 'info', data: 'two' }]])
  await link.close()
})

test('a handler that returns nothing fails its call at once', async () => {
  const server = new Server({ name: 'low', version: '1' }, { capabilities: { prompts: {} } })
  server.setRequestHandler(GetPromptRequestSchema, () => undefined as never)
  const client = recordClient()
  const link = await backendFromMcpServer(() => server, { name: 'low' }).open(scopeFor(client), client, never)
  const { exchange } = recordExchange()
  const outcome = await link.call(createRequest('prompts/get', { name: 'one' }), exchange)
  const message = expect.stringContaining('got none of them') as unknown
  expect(outcome).toMatchObject({ kind: 'error', error: { code: -32603, message } })
  await link.close()
})

test('a result that cannot be printed as JSON fails its call at once', async () => {
  const server = new Server({ name: 'low', version: '1' }, { capabilities: { tools: {} } })
  server.setRequestHandler(CallToolRequestSchema, () => ({ content: [], structuredContent: { rows: 3n } }))
  const client = recordClient()
  const link = await backendFromMcpServer(() => server, { name: 'low' }).open(scopeFor(client), client, never)
  const outcome = await link.call(createRequest('tools/call', { name: 'count' }), recordExchange().exchange)
  const message = expect.stringContaining('BigInt') as unknown
  expect(outcome).toMatchObject({ kind: 'error', error: { code: -32603, message } })
  await link.close()
})

test('a server that closes its transport ends the link with an error', async () => {
  const server = new McpServer({ name: 'here', version: '1' })
  const client = recordClient()
  const link = await backendFromMcpServer(() => server, { name: 'here' }).open(scopeFor(client), client, never)
  await server.close()
  expect(await link.closed).toMatchObject({ code: 'BACKEND_EXITED' })
})

test('closing the link closes the server', async () => {
  const server = new Server({ name: 'here', version: '1' }, { capabilities: {} })
  const client = recordClient()
  const link = await backendFromMcpServer(() => server, { name: 'here' }).open(scopeFor(client), client, never)
  expect(server.transport).toBeDefined()
  await link.close()
  expect(server.transport).toBeUndefined()
})

test('a server may change the params it received without an effect on the caller', async () => {
  const server = new Server({ name: 'rude', version: '1' }, { capabilities: { tools: {} } })
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    Object.assign(params.arguments?.['nested'] as object, { changed: true })
    return { content: [] }
  })
  const client = recordClient()
  const link = await backendFromMcpServer(() => server, { name: 'rude' }).open(scopeFor(client), client, never)
  const params = payloadOf({ name: 'any', arguments: { nested: { changed: false } } })
  await link.call({ ...createRequest('tools/call'), params }, recordExchange().exchange)
  expect(params.value()).toEqual({ name: 'any', arguments: { nested: { changed: false } } })
  await link.close()
})

test('when the server cannot be made, the link cannot be opened', async () => {
  const backend = backendFromMcpServer(() => Promise.reject(new Error('no key')), { name: 'here' })
  const client = recordClient()
  await expect(backend.open(scopeFor(client), client, never)).rejects.toThrow('no key')
})

test('a call carries the trace of its request', async () => {
  const server = new Server({ name: 'low', version: '1' }, { capabilities: { tools: {} } })
  const called = vi.fn<(params: JsonObject) => void>()
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
    called(params as JsonObject)
    return { content: [] }
  })
  const client = recordClient()
  const link = await backendFromMcpServer(() => server, { name: 'here' }).open(scopeFor(client), client, never)
  await link.call(createRequest('tools/call', { name: 'a', arguments: {} }), tracedExchange('00-1-2-01'))
  expect(called.mock.calls).toMatchObject([[{ _meta: { traceparent: '00-1-2-01' } }]])
  await link.close()
})

test('an answer that no caller waits for is dropped and reported', async () => {
  const events: TelemetryEvent[] = []
  const backend = backendFromMcpServer(
    () => ({
      connect(transport) {
        // The servers of the official SDKs do the same.
        // oxlint-disable-next-line unicorn/prefer-add-event-listener
        transport.onmessage = ({ id, method, params }: JsonObject): void => {
          if (method !== 'initialize') return
          const { protocolVersion } = params as JsonObject
          const result = { protocolVersion, capabilities: {}, serverInfo: { name: 'twice', version: '1' } }
          for (let count = 0; count < 2; count += 1) void transport.send({ jsonrpc: '2.0', id, result })
        }
        return Promise.resolve()
      },
      close: () => Promise.resolve(),
    }),
    { name: 'twice', emit: (event) => events.push(event) },
  )
  const client = recordClient()
  const link = await backend.open(scopeFor(client), client, never)
  expect(events).toEqual([{ kind: 'output_discarded', backend: 'twice', reason: 'late_answer' }])
  await link.close()
})

test('a client that throws on a message of a server affects only that message', async () => {
  const server = new McpServer({ name: 'here', version: '1' }, { capabilities: { logging: {} } })
  const events: TelemetryEvent[] = []
  const recorded = recordClient()
  const client = Object.assign(Object.create(recorded) as typeof recorded, {
    notify() {
      throw new Error('broken')
    },
  })
  const backend = backendFromMcpServer(() => server, { name: 'here', emit: (event) => void events.push(event) })
  const link = await backend.open(scopeFor(client), client, never)
  await server.sendLoggingMessage({ level: 'info', data: 'hello' })
  await eventually(() => expect(events).toContainEqual({ kind: 'plugin_failed', backend: 'here' }))
  // The next message is handled.
  await expect(link.list('tools', never)).resolves.toEqual([])
  await link.close()
})
