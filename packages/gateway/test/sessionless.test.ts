import { expect, test } from 'vitest'
import { type Front, type Identity, type Origin, silentLog, type TelemetryEvent } from '@junctor/contracts'
import type { Sink, TransportName } from '@junctor/exchange'
import { createMemoryBus, createMemoryFabric } from '@junctor/fabric'
import { type JsonObject, payloadOf, requestId } from '@junctor/jsonrpc'
import { mcpProfile, type Profile } from '@junctor/protocol'
import { createBackend, createTool } from '@junctor/plugin-sdk'
import { backendDefaults, createGateway, type Gateway } from '../src/index.ts'
import type { BackendEntry } from '../src/shared/backend-entry.ts'
import { createTestBackend } from './support/test-backend.ts'
import { identityOf, startNodes, tenantOf } from './support/test-nodes.ts'

const echo = createTool({
  metadata: { name: 'echo', description: 'Says it back', inputSchema: { type: 'object' } },
  handler: ({ text }) => (typeof text === 'string' ? text : 'nothing'),
})

/** Sends one request without a session and returns the answer. */
async function ask(
  front: Front,
  identity: Identity,
  method: string,
  params: JsonObject,
  transport: TransportName = 'http',
  headers?: Origin['headers'],
): Promise<Record<string, unknown>> {
  const { promise, resolve } = Promise.withResolvers<string>()
  const sink: Sink = { owner: undefined, resumable: true, open() {}, send: (text) => (resolve(text), undefined) }
  const request = { kind: 'request', dialect: '2.0', id: requestId(1), method, params: payloadOf(params) } as const
  const origin = { transport, identity, session: undefined, revision: undefined, dialect: '2.0' } as const
  void front.receive(request, headers === undefined ? origin : { ...origin, headers }, sink)
  return JSON.parse(await promise) as Record<string, unknown>
}

async function gatewayFor(profile: Profile, entry?: BackendEntry) {
  const tenant = { name: 'default', profile }
  const principal = { issuer: 'local', subject: 'local', key: 'local' }
  const identity: Identity = { kind: 'identity', tenant, principal }
  const backend = createBackend({ name: 'one', tools: [echo] })
  const fabric = createMemoryFabric(createMemoryBus())
  const events: TelemetryEvent[] = []
  const gateway = await createGateway({
    fabric,
    authenticate: () => identity,
    info: { name: 'gateway', version: '1' },
    log: silentLog,
    emit: (event) => events.push(event),
    tenants: [
      {
        tenant,
        separator: '__',
        backends: [entry ?? { ...backendDefaults, backend, prefix: 'one' }],
      },
    ],
  })
  return {
    events,
    ask: (method: string, params: JsonObject, transport?: TransportName, headers?: Origin['headers']) =>
      ask(gateway.front, identity, method, params, transport, headers),
    async close() {
      await gateway.close()
      await fabric.close()
    },
  }
}

test('a profile that allows it serves requests without a session, without keeping state for them', async () => {
  const gateway = await gatewayFor({ ...mcpProfile, sessionless: true, aliases: { call: 'tools/call' } })
  const [one, two] = await Promise.all(
    ['a', 'b'].map((text) => gateway.ask('tools/call', { name: 'one__echo', arguments: { text } })),
  )
  expect(one).toMatchObject({ id: 1, result: { content: [{ text: 'a' }] } })
  expect(two).toMatchObject({ id: 1, result: { content: [{ text: 'b' }] } })
  expect(await gateway.ask('call', { name: 'one__echo', arguments: { text: 'c' } })).toMatchObject({ result: {} })
  expect(await gateway.ask('constructor', {})).toMatchObject({ error: { code: -32601 } })
  expect(await gateway.ask('logging/setLevel', { level: 'debug' })).toMatchObject({
    error: { data: { reason: 'session_missing' } },
  })
  await gateway.close()
})

test('a profile that does not allow it refuses them', async () => {
  const gateway = await gatewayFor(mcpProfile)
  // Without headers, the connection is the session.
  expect(await gateway.ask('tools/list', {})).toMatchObject({
    error: {
      message: expect.stringContaining('first request on this connection'),
      data: { reason: 'session_missing' },
    },
  })
  expect(await gateway.ask('tools/list', {}, 'http', { header: () => undefined })).toMatchObject({
    error: { message: 'Mcp-Session-Id header is required', data: { reason: 'session_missing' } },
  })
  await gateway.close()
})

test('the event of a request without a session names the transport that it came over', async () => {
  const gateway = await gatewayFor({ ...mcpProfile, sessionless: true })
  const prefix = 'io.modelcontextprotocol/'
  const declared = { [`${prefix}protocolVersion`]: '2026-07-28', [`${prefix}clientCapabilities`]: {} }
  for (const transport of ['http', 'stdio', 'websocket', 'nats'] as const) {
    for (const _meta of [declared, {}]) await gateway.ask('tools/list', { _meta }, transport)
  }
  const named = gateway.events.flatMap((event) => (event.kind === 'request_finished' ? event.transport : []))
  expect(named).toEqual(['http', 'http', 'stdio', 'stdio', 'websocket', 'websocket', 'nats', 'nats'])
  await gateway.close()
})

test('answers for a backend reach the server that asked for them, and no server that has replaced it', async () => {
  const asking = (address: string, state?: string) => {
    const backend = createTestBackend({ address })
    const seen: unknown[] = []
    backend.behaviour.call = ({ params }) => {
      const { inputResponses, requestState } = (params ?? payloadOf({})).value() as JsonObject
      if (inputResponses === undefined) {
        return { kind: 'input_required', requests: {}, ...(state !== undefined && { state }) }
      }
      seen.push([inputResponses, requestState])
      return { kind: 'complete', result: payloadOf({ content: [] }) }
    }
    return { ...backend, seen }
  }
  const prefix = 'io.modelcontextprotocol/'
  const _meta = { [`${prefix}protocolVersion`]: '2026-07-28', [`${prefix}clientCapabilities`]: {} }
  for (const state of ['own state', undefined]) {
    const [before, same, after] = [asking('one', state), asking('one', state), asking('two', state)]
    const nodes = await startNodes([[tenantOf([before.entry])]])
    const [gateway] = nodes.gateways as [Gateway]
    const call = async (more: JsonObject = {}) =>
      ask(gateway.front, identityOf(), 'tools/call', { name: 'one__echo', ...more, _meta })
    const { requestState = '' } = (await call())['result'] as { requestState?: string }
    const answers = { inputResponses: { who: { action: 'accept' } }, requestState }
    const received = [[answers.inputResponses, state]]
    expect(await call(answers)).toMatchObject({ result: { resultType: 'complete' } })
    // Another configuration of the same server.
    await gateway.update([tenantOf([same.entry])])
    expect(await call(answers)).toMatchObject({ result: { resultType: 'complete' } })
    await gateway.update([tenantOf([after.entry])])
    expect(await call(answers)).toMatchObject({ error: { code: -32_602 } })
    expect([before.seen, same.seen, after.seen]).toEqual([received, received, []])
  }
})

test('what the process of calls one after the other has added to its lists is listed and called', async () => {
  const { behaviour, links, entry } = createTestBackend({}, { correlates: false })
  const grown = new Set<string>()
  behaviour.list = async (kind, { key }) =>
    kind === 'tools' ? ['grow', ...(grown.has(key) ? ['extra'] : [])].map((name) => payloadOf({ name })) : []
  behaviour.call = (request) => {
    const link = links.find(({ requests }) => requests.includes(request))
    grown.add(link?.scope.key ?? '')
    link?.client.notify({ method: 'notifications/tools/list_changed', params: undefined })
    return { kind: 'complete', result: payloadOf({ content: [{ type: 'text', text: link?.scope.key ?? '' }] }) }
  }
  const gateway = await gatewayFor(mcpProfile, entry)
  const prefix = 'io.modelcontextprotocol/'
  const meta = (declared: JsonObject): JsonObject => ({
    _meta: { [`${prefix}protocolVersion`]: '2026-07-28', [`${prefix}clientCapabilities`]: {}, ...declared },
  })
  const names = async (declared: JsonObject): Promise<unknown> => {
    const { result } = await gateway.ask('tools/list', meta(declared))
    return (result as { tools: { name: string }[] }).tools.map(({ name }) => name)
  }
  const askable = { [`${prefix}clientCapabilities`]: { elicitation: {} } }
  expect(await names(askable)).toEqual(['one__grow'])
  const first = await gateway.ask('tools/call', { name: 'one__grow', ...meta(askable) })
  expect(await names(askable)).toEqual(['one__grow', 'one__extra'])
  expect(await gateway.ask('tools/call', { name: 'one__extra', ...meta(askable) })).toEqual(first)
  // Other requests have other processes.
  expect(await names({})).toEqual(['one__grow'])
  const logging = { [`${prefix}logLevel`]: 'info' }
  await gateway.ask('tools/call', { name: 'one__grow', ...meta(logging) })
  expect(await names(logging)).toEqual(['one__grow', 'one__extra'])
  expect(await names({})).toEqual(['one__grow'])
  await gateway.close()
})
