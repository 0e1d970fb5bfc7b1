import type { ServerResponse } from 'node:http'
import type { JsonObject, JsonValue } from '@junctor/jsonrpc'
import { eventually, type ScriptedRequest, sendJson, startScriptedServer } from '@junctor/testkit'
import { expect, onTestFinished } from 'vitest'
import { answering, ofSession } from '../src/in-gateway.ts'
import { inStateless, type StatelessScene } from '../src/in-stateless.ts'
import { errorOf, resultOf } from '../src/result-of.ts'
import { verifies } from '../src/verifies.ts'

// Servers whose responses are not what MCP wants of them: a result of another revision, one that is no object, or none.

const inputSchema = { type: 'object' }
const tools = ['asks', 'task', 'null', 'list', 'text', 'number', 'neither'].map((name) => ({ name, inputSchema }))
const capabilities = { tools: {}, prompts: {}, resources: {}, completions: {} }
const lists = {
  'tools/list': { tools: [...tools, { name: 'slow', inputSchema, execution: { taskSupport: 'required' } }] },
  'prompts/list': { prompts: [{ name: 'asks' }, { name: 'null' }] },
  'resources/list': {
    resources: ['asks', 'null'].map((name) => ({ uri: `file:///${name}`, name })),
  },
}

/** What only a server of 2026-07-28 may say. The content tells which result it was. */
const posing = (own: JsonObject): JsonObject => ({
  ...own,
  resultType: 'input_required',
  inputRequests: {
    a: {
      method: 'elicitation/create',
      params: { message: 'Your password?', mode: 'form', requestedSchema: { type: 'object', properties: {} } },
    },
  },
  requestState: 'a state that is not sealed',
})
const content = [{ type: 'text', text: 'content' }]
const contents = [{ uri: 'file:///asks', text: 'content' }]
const messages = [{ role: 'user', content: content[0] as JsonObject }]

const results = {
  ...lists,
  'tools/call': {
    asks: posing({ content }),
    task: { content, resultType: 'task', taskId: 't_1', status: 'working' },
    slow: { task: { taskId: 't_2', status: 'working' } },
    null: null,
    list: [],
    text: 'own words',
    number: 5,
  },
  'tasks/result': posing({ content }),
  'prompts/get': { asks: posing({ messages }), null: null },
  'resources/read': { 'file:///asks': posing({ contents }), 'file:///null': null },
  'completion/complete': null,
  'com.example/null': null,
}
const server = { capabilities: { ...capabilities, tasks: { requests: { tools: { call: {} } } } }, results }

/** The same server over HTTP. */
async function overHttp(): Promise<object> {
  const of = (method: string, params: JsonObject): JsonObject => {
    if (method === 'initialize') {
      const { protocolVersion = null } = params
      return { result: { protocolVersion, capabilities, serverInfo: { name: 'odd', version: '1' } } }
    }
    const named = (results as Readonly<Record<string, JsonValue>>)[method]
    if (named === undefined) return { error: { code: -32_601, message: 'Method not found' } }
    const key = (params['name'] ?? params['uri'] ?? '') as string
    if (method.endsWith('/list')) return { result: named }
    if (key === 'neither') return {}
    return { result: (named as Readonly<Record<string, JsonValue>> | null)?.[key] ?? null }
  }
  const served = await startScriptedServer(({ body }: ScriptedRequest, response: ServerResponse) => {
    const { id, method, params = {} } = body as { id?: number; method?: string; params?: JsonObject }
    if (id === undefined || method === undefined) return void response.writeHead(202).end()
    return sendJson(response, { jsonrpc: '2.0', id, ...of(method, params) })
  })
  onTestFinished(() => served.close())
  return { url: served.origin }
}

const call = (name: string): JsonObject => ({ name, arguments: {} })
const ways = { ways: ['http', 'websocket'] } as const

verifies('ERA-23', ways, async (cell) => {
  const backends = { own: answering(server, ofSession), all: answering(server), web: await overHttp() }
  await inStateless(cell, backends, async ({ stateless, client }) => {
    for (const declared of [{}, { elicitation: { form: {} }, extensions: { 'io.modelcontextprotocol/tasks': {} } }]) {
      const one = await stateless({ capabilities: declared })
      for (const name of Object.keys(backends)) {
        const asked = [
          [await one.request('tools/call', call(`${name}__asks`)), { content }],
          [await one.request('prompts/get', call(`${name}__asks`)), { messages }],
          [await one.request('resources/read', { uri: `${name}+file:///asks` }), { contents: [{ text: 'content' }] }],
        ] as const
        for (const [response, expected] of asked) {
          expect(resultOf(response)).toMatchObject({ resultType: 'complete', ...expected })
          expect(resultOf(response)).not.toHaveProperty('inputRequests')
          expect(resultOf(response)).not.toHaveProperty('requestState')
        }
        const started = resultOf(await one.request('tools/call', call(`${name}__task`)))
        expect(started).toMatchObject({ resultType: 'complete', content })
      }
      expect(JSON.stringify(one.wire.received)).not.toMatch(/password|not sealed/)
    }
    // A client of the same era gets what the server has sent.
    const older = await client()
    expect(resultOf(await older.request('tools/call', call('own__asks')))).toEqual(results['tools/call'].asks)
  })
})

verifies('ERA-23', ways, async (cell) => {
  await inStateless(cell, { own: answering(server) }, async ({ stateless }) => {
    // A result that is waited for, and one that is kept.
    const waiting = await stateless()
    expect(resultOf(await waiting.request('tools/call', call('own__slow')))).toMatchObject({
      resultType: 'complete',
      content,
    })
    const one = await stateless({
      capabilities: { elicitation: {}, extensions: { 'io.modelcontextprotocol/tasks': {} } },
    })
    const { taskId = '' } = resultOf(await one.request('tools/call', call('own__slow')))
    const kept = await eventually(async () => {
      const task = resultOf(await one.request('tasks/get', { taskId }))
      expect(task).toMatchObject({ status: 'completed' })
      return task
    })
    expect(kept).toMatchObject({ resultType: 'complete', result: { content } })
    for (const { wire } of [waiting, one]) expect(JSON.stringify(wire.received)).not.toMatch(/password|not sealed/)
  })
})

/** A client of each era. */
const bothEras = async ({ client, stateless }: StatelessScene) => [await client(), await stateless()] as const

verifies('MCP-2.10', ways, async (cell) => {
  const newer = answering({ ...server, stateless: true })
  const backends = { own: answering(server), newer, web: await overHttp() }
  await inStateless(cell, backends, async (scene) => {
    for (const one of await bothEras(scene)) {
      for (const name of Object.keys(backends)) {
        const failed = (kind: string): object => ({
          code: -32_603,
          message: expect.stringContaining(`to be an object, got ${kind}`),
          data: { reason: 'tool_failed', backend: name },
        })
        const of = async (method: string, params: JsonObject): Promise<unknown> =>
          errorOf(await one.request(method, params))
        expect(await of('tools/call', call(`${name}__null`))).toMatchObject(failed('null'))
        expect(await of('tools/call', call(`${name}__list`))).toMatchObject(failed('an array'))
        expect(await of('tools/call', call(`${name}__text`))).toMatchObject(failed('a string'))
        expect(await of('tools/call', call(`${name}__number`))).toMatchObject(failed('a number'))
        expect(await of('prompts/get', call(`${name}__null`))).toMatchObject(failed('null'))
        expect(await of('resources/read', { uri: `${name}+file:///null` })).toMatchObject(failed('null'))
        const ref = { type: 'ref/prompt', name: `${name}__null` }
        const completing = { ref, argument: { name: 'a', value: 'b' } }
        expect(await of('completion/complete', completing)).toMatchObject(failed('null'))
      }
    }
  })
})

verifies('MCP-2.11', ways, async (cell) => {
  const backends = { own: answering(server), newer: answering({ ...server, stateless: true }), web: await overHttp() }
  await inStateless(
    cell,
    backends,
    async (scene) => {
      for (const one of await bothEras(scene)) {
        for (const name of Object.keys(backends)) {
          const error = errorOf(await one.request('tools/call', call(`${name}__neither`)))
          expect(error).toMatchObject({ code: -32_603, data: { reason: 'tool_failed' } })
          expect(error.message).toContain('got none of them')
        }
      }
    },
    // Longer than a test may take.
    { timeout: '10m' },
  )
})
