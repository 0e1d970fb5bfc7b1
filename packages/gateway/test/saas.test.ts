import type { Front } from '@junctor/contracts'
import type { Sink } from '@junctor/exchange'
import { type JsonObject, type JsonValue, payloadOf, requestId } from '@junctor/jsonrpc'
import { createBackend, createPrompt, createTool, ToolResponse } from '@junctor/plugin-sdk'
import { type Profile, saasProfile } from '@junctor/protocol'
import { beforeEach, describe, expect, it, test } from 'vitest'
import { backendDefaults, type Gateway } from '../src/index.ts'
import { openClient, type TestClient } from './support/test-client.ts'
import { identityOf, startNodes, tenantOf } from './support/test-nodes.ts'

// What clients of the profile see, as its document prints it. Here all answers are direct.
const profile: Profile = { ...saasProfile, delivery: 'inline' }
const revisions = ['2024-11-05', '2025-03-26', '2025-06-18'] as const
type Spoken = (typeof revisions)[number]

const text = { type: 'text', text: 'Generated audio file:' } as const
const sound = { type: 'audio', data: 'AAAA', mimeType: 'audio/mpeg' } as const

const echo = createTool({
  metadata: {
    name: 'echo',
    description: 'Echo a message back',
    inputSchema: {
      type: 'object',
      properties: { message: { type: 'string', description: 'Message to echo' } },
      required: ['message'],
    },
    outputSchema: { type: 'object' },
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  },
  handler: (input) => ToolResponse.json({ message: input['message'], received_params: input, context_available: true }),
})
const speech = createTool({
  metadata: { name: 'speech', description: 'Speaks', inputSchema: { type: 'object' } },
  handler: () => ToolResponse.of(text, sound),
})
const work = createTool({
  metadata: { name: 'work', description: 'Works', inputSchema: { type: 'object' } },
  handler(_input, { exchange }) {
    exchange.progress({ progress: 50, total: 100, message: 'Processing data...' })
    return String(exchange.wantsProgress)
  },
})
const greeting = createPrompt({
  name: 'greeting',
  description: 'A friendly greeting prompt',
  arguments: { name: { description: 'Name of the person to greet', required: false } },
  handler: ({ name = 'them' }) => `Please greet ${name} in a friendly way.`,
})

let front: Front

beforeEach(async () => {
  const backend = createBackend({ name: 'one', tools: [echo, speech, work], prompts: [greeting] })
  const nodes = await startNodes([[tenantOf([{ ...backendDefaults, backend, prefix: undefined }], 'default', profile)]])
  ;({ front } = nodes.gateways[0] as Gateway)
})

/** A client of a revision. */
function clientOf(protocolVersion: Spoken): Promise<TestClient> {
  const params = { protocolVersion, capabilities: {}, clientInfo: { name: 'JS Client', version: '1.0.0' } }
  return openClient(front, identityOf('ada', 'default', profile), params)
}

async function answerTo(revision: Spoken, method: string, params: JsonObject = {}): Promise<JsonObject> {
  const client = await clientOf(revision)
  return (await client.request(method, params, 1).answer()) as JsonObject
}

function call(name: string, args: JsonValue, meta?: JsonValue): JsonObject {
  return { name, arguments: args, _meta: meta }
}

const notFound = { jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'Method not found' } }

describe.each(revisions)('at %s', (revision) => {
  const isNew = revision !== '2024-11-05'
  const answer = (method: string, params?: JsonObject): Promise<JsonObject> => answerTo(revision, method, params)

  it('initialize answers as printed, and the session has an id as printed', async () => {
    const { opened, session } = await clientOf(revision)
    expect(opened.result).toEqual({
      protocolVersion: revision,
      capabilities: {
        tools: { listChanged: true },
        prompts: { listChanged: true },
        resources: { subscribe: false, listChanged: true },
        ...(isNew && { completions: true }),
      },
      serverInfo: { name: 'gateway', version: '1' },
    })
    expect(session.id).toMatch(/^sess_[\w-]{43}$/)
  })

  it('ping gives pong and the time', async () => {
    const before = Math.floor(Date.now() / 1000) * 1000
    const { result } = (await answer('ping')) as { result: { timestamp: string } }
    expect(result).toEqual({ status: 'pong', timestamp: expect.stringMatching(/^[\d-]{10}T[\d:]{8}Z$/) as string })
    expect(Date.parse(result.timestamp)).toBeGreaterThanOrEqual(before)
    expect(Date.parse(result.timestamp)).toBeLessThanOrEqual(Date.now())
  })

  it('tools are listed under their own names, with annotations when the revision has them', async () => {
    const { result } = (await answer('tools/list')) as { result: { tools: JsonObject[] } }
    expect(result.tools[0]).toEqual({
      name: 'echo',
      description: 'Echo a message back',
      inputSchema: {
        type: 'object',
        properties: { message: { type: 'string', description: 'Message to echo' } },
        required: ['message'],
      },
      ...(isNew && {
        annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
      }),
    })
  })

  it('a structured answer of a tool is JSON text', async () => {
    expect(await answer('tools/call', call('echo', { message: 'Hello MCP!' }))).toEqual({
      jsonrpc: '2.0',
      id: 1,
      result: {
        content: [
          {
            type: 'text',
            text: '{"message":"Hello MCP!","received_params":{"message":"Hello MCP!"},"context_available":true}',
          },
        ],
      },
    })
  })

  it('audio is audio when the revision has it', async () => {
    const embedded = { uri: 'attachment://audio/1', mimeType: 'audio/mpeg', blob: 'AAAA' }
    const expected = isNew ? sound : { type: 'resource', resource: embedded }
    expect(await answer('tools/call', call('speech', {}))).toEqual({
      jsonrpc: '2.0',
      id: 1,
      result: { content: [text, expected] },
    })
  })

  it('a prompt has arrays of content', async () => {
    expect(await answer('prompts/get', { name: 'greeting', arguments: { name: 'Alice' } })).toEqual({
      jsonrpc: '2.0',
      id: 1,
      result: {
        description: 'A friendly greeting prompt',
        messages: [{ role: 'user', content: [{ type: 'text', text: 'Please greet Alice in a friendly way.' }] }],
      },
    })
  })

  it('completions/complete exists when the revision has it', async () => {
    const params = { ref: { type: 'ref/tool', name: 'echo' }, argument: 'mes' }
    const completions = [{ value: 'message', description: 'Message parameter' }]
    expect(await answer('completions/complete', params)).toEqual(
      isNew ? { jsonrpc: '2.0', id: 1, result: { completions } } : notFound,
    )
  })

  it('elicitation/create exists when the revision has it', async () => {
    const message = 'Please provide your contact information'
    const requestedSchema = {
      type: 'object',
      properties: { name: { type: 'string' }, email: { type: 'string', format: 'email' } },
      required: ['name', 'email'],
    }
    const result = { type: 'elicitation', prompt: message, requestedSchema, requestId: 1 }
    expect(await answer('elicitation/create', { message, requestedSchema })).toEqual(
      revision === '2025-06-18' ? { jsonrpc: '2.0', id: 1, result } : notFound,
    )
  })

  it('sampling/createMessage is received', async () => {
    const content = [{ type: 'text', text: 'What is the capital of France?' }]
    const params = { messages: [{ role: 'user', content }], includeContext: 'none', temperature: 0.7, maxTokens: 100 }
    expect(await answer('sampling/createMessage', params)).toEqual({
      jsonrpc: '2.0',
      id: 1,
      result: { received: true },
    })
  })

  it.each([undefined, 'token'])('progress is sent with the token %j', async (progressToken) => {
    const client = await clientOf(revision)
    const meta = progressToken === undefined ? undefined : { progressToken }
    const round = client.request('tools/call', call('work', {}, meta), 1)
    expect((await round.answer()).result).toEqual({ content: [{ type: 'text', text: 'true' }] })
    expect(round.seen.slice(0, -1)).toEqual([
      {
        jsonrpc: '2.0',
        method: 'notifications/progress',
        params: {
          ...(progressToken !== undefined && { progressToken }),
          progress: 50,
          total: 100,
          ...(isNew && { message: 'Processing data...' }),
        },
      },
    ])
  })

  it.each(['tools/paint', 'constructor', 'server/discover', 'tasks/list'])('%s is not found', async (method) => {
    expect(await answer(method)).toEqual(notFound)
  })

  it.each([
    ['tools/call', call('nothing', {}), -32602],
    ['tools/call', {}, -32602],
    ['prompts/get', { name: 'nothing' }, -32602],
    ['resources/read', { uri: 'nowhere:///x' }, -32602],
    ['sampling/createMessage', {}, -32602],
  ])('%s %j is refused with a code of the document', async (method, params, code) => {
    expect(await answer(method, params)).toMatchObject({ id: 1, error: { code } })
  })
})

test('a backend has its own names for a tenant of the profile, and its prefix for others', async () => {
  const backend = createBackend({ name: 'one', tools: [work], prompts: [greeting] })
  const entry = { ...backendDefaults, backend, prefix: undefined }
  const both = await startNodes([[tenantOf([entry]), tenantOf([entry], 'acme', profile)]])
  const at = (both.gateways[0] as Gateway).front
  const shown = { plain: ['one__work', 'one__greeting'], acme: ['work', 'greeting'] }
  for (const [identity, names] of [
    [identityOf('ada', 'acme', profile), shown.acme],
    [identityOf(), shown.plain],
  ] as const) {
    const client = await openClient(at, identity)
    const [tools, prompts] = await Promise.all(
      ['tools', 'prompts'].map((kind) => client.request(`${kind}/list`).answer()),
    )
    expect([tools?.result, prompts?.result]).toMatchObject([
      { tools: [{ name: names[0] }] },
      { prompts: [{ name: names[1] }] },
    ])
    const [tool = ''] = names
    expect((await client.request('tools/call', call(tool, {})).answer()).result).toHaveProperty('content')
  }
  await both.close()
})

test('only initialize is answered without a session, not even ping', async () => {
  const { promise, resolve } = Promise.withResolvers<string>()
  const sink: Sink = { owner: undefined, resumable: true, open() {}, send: (frame) => (resolve(frame), undefined) }
  const identity = identityOf('ada', 'default', profile)
  const request = { kind: 'request', dialect: '2.0', id: requestId(1), method: 'ping', params: payloadOf({}) } as const
  const headers = { header: () => undefined }
  void front.receive(
    request,
    { transport: 'http', identity, session: undefined, revision: undefined, dialect: '2.0', headers },
    sink,
  )
  expect(JSON.parse(await promise)).toMatchObject({ id: 1, error: { code: -32001, message: 'Session required' } })
})
