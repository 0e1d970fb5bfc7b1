import { text as textIn } from 'node:stream/consumers'
import { type JsonObject, type JsonValue, parseExactly } from '@junctor/jsonrpc'
import { createBackend, createMethod, createTool, definePlugin, type Plugin } from '@junctor/plugin-sdk'
import { startComponent } from '@junctor/testkit'
import { startHttpServer } from '@junctor/testkit/http'
import { beforeAll, expect } from 'vitest'
import * as z from 'zod'
import { buildWasmSample } from '@junctor/testkit/build-wasm-sample'
import type { Cell } from '../src/cell.ts'
import { plugins } from '../src/ftl/on-wire.ts'
import type { GatewayUnderTest } from '../src/gateway-under-test.ts'
import { inGateway, type Scene } from '../src/in-gateway.ts'
import { errorOf, resultOf, textOf } from '../src/result-of.ts'
import { verifies } from '../src/verifies.ts'
import type { HttpWireClient, WireClient } from '../src/wire-client.ts'

/** JSON whose numbers are sent with their digits. */
const exact = (text: string): JsonObject => parseExactly(text) as JsonObject

const call = async (client: WireClient, name: string, args: JsonValue): Promise<JsonObject> =>
  client.request('tools/call', { name, arguments: args })

/** The text of each node's answer to a call, before any parser has changed its numbers. */
async function answerTexts(
  { urls }: GatewayUnderTest,
  { session }: HttpWireClient,
  { revision }: Cell,
  name: string,
  args: string,
): Promise<readonly string[]> {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': revision,
    ...(session !== undefined && { 'mcp-session-id': session }),
  }
  const body = `{"jsonrpc":"2.0","id":"exact","method":"tools/call","params":{"name":"${name}","arguments":${args}}}`
  return Promise.all(urls.map(async (url) => (await fetch(url, { method: 'POST', headers, body })).text()))
}

const operation = {
  parameters: [
    { name: 'id', in: 'path', required: true, schema: { type: 'integer', format: 'int64' } },
    { name: 'after', in: 'query', schema: { type: 'integer', format: 'int64' } },
    { name: 'among', in: 'query', explode: false, schema: { type: 'array', items: { type: 'integer' } } },
    { name: 'x-ref', in: 'header', schema: { type: 'integer', format: 'int64' } },
  ],
  requestBody: { content: { 'application/json': { schema: { type: 'object' } } } },
  responses: {},
}
const document = {
  openapi: '3.1.0',
  info: { title: 'Orders', version: '1' },
  servers: [{ url: '/' }],
  paths: { '/orders/{id}': { put: { operationId: 'putOrder', ...operation } } },
}

/** An API with 64-bit ids, which keeps what it received, and always answers with the same order. */
async function inFrontOfOrders(
  cell: Cell,
  body: (scene: {
    client: WireClient
    http: HttpWireClient
    gateway: GatewayUnderTest
    received: string[]
  }) => Promise<void>,
): Promise<void> {
  const received: string[] = []
  const { origin: url, close } = await startHttpServer(async (request, response) => {
    response.setHeader('content-type', 'application/json')
    if (request.url === '/openapi.json') {
      return response.end(JSON.stringify(document))
    }
    received.push(`${request.url} ${request.headers['x-ref'] as string} ${await textIn(request)}`)
    return response.end('{"id": 9223372036854775807, "next_cursor": 9007199254740993, "price": 1.50}')
  })
  try {
    await inGateway(cell, { api: { openapi: `${url}/openapi.json`, baseUrl: url } }, async (scene) =>
      body({ client: await scene.client(), http: await scene.http(), gateway: scene.gateway, received }),
    )
  } finally {
    await close()
  }
}

verifies('OPENAPI-7', {}, async (cell) => {
  await inFrontOfOrders(cell, async ({ client, http, gateway, received }) => {
    const args =
      '{"id":1234567890123456789,"after":-9007199254740993,"among":[1,18446744073709551615],"x-ref":9007199254740993,"body":{"ref":9223372036854775807,"price":0.12345678901234567890,"tax":1.0}}'
    const result = resultOf(await call(client, 'api__putOrder', exact(args)))
    expect(result['isError']).toBeUndefined()
    const sent =
      '/orders/1234567890123456789?after=-9007199254740993&among=1%2C18446744073709551615 9007199254740993 {"ref":9223372036854775807,"price":0.12345678901234567890,"tax":1}'
    expect(received.splice(0)).toEqual([sent])
    for (const text of await answerTexts(gateway, http, cell, 'api__putOrder', args)) {
      expect(text).toMatch(
        /"structuredContent":\{"id":9223372036854775807,"next_cursor":9007199254740993,"price":1.5\}/,
      )
      expect(text).toContain('"cursor":"9007199254740993"')
    }
    expect(new Set(received.splice(0))).toEqual(new Set([sent]))

    // Numbers are still numbers for the schema, and one that it cannot judge is not sent.
    expect(textOf(await call(client, 'api__putOrder', exact('{"id":"9007199254740993"}')))).toContain('must be integer')
    expect(textOf(await call(client, 'api__putOrder', exact('{"id":1,"body":{"a":[0,1e400]}}')))).toContain(
      '/body/a/1: 1e400 is too large',
    )
    expect(received).toEqual([])
  })
})

verifies('E-21', {}, async (cell) => {
  const outputSchema = { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] }
  const inputSchema = { type: 'object', properties: { id: { type: 'integer' } } }
  const structured = '{"id":9007199254740993,"list":[12345678901234567890]}'
  const component = await startComponent({
    description: { name: 'orders', description: 'Orders', inputSchema, outputSchema },
    answer: ({ response }) => void response.end(`{"structuredContent":${structured}}`),
  })
  try {
    const inFront = async (body: (scene: Scene) => Promise<void>): Promise<void> =>
      inGateway(cell, { parts: { tool: component.url } }, body, { plugins })
    await inFront(async (scene) => {
      const [client, http] = [await scene.client(), await scene.http()]
      const sent = '{"id":1234567890123456789,"price":1,"more":{"ref":9007199254740993}}'
      const text = textOf(await call(client, 'parts__orders', exact(sent)))
      expect(text).toBe(structured)
      expect(component.calls.map(({ body }) => body)).toEqual([sent])
      for (const answer of await answerTexts(scene.gateway, http, cell, 'parts__orders', sent)) {
        expect(answer).toContain(`"structuredContent":${structured}`)
      }
      const before = component.calls.length
      expect(textOf(await call(client, 'parts__orders', exact('{"id":1e400}')))).toContain('/id: 1e400 is too large')
      expect(component.calls).toHaveLength(before)

      component.answer = ({ response }) => {
        response.setHeader('content-type', 'application/x-ndjson')
        response.end(`{"jsonrpc":"3.0","result":{"structuredContent":${structured}}}\n`)
        return undefined
      }
      for (const answer of await answerTexts(scene.gateway, http, cell, 'parts__orders', '{}')) {
        expect(answer).toContain(`"structuredContent":${structured}`)
      }
      component.answer = () => ({ structuredContent: { id: 'none' } })
      expect(textOf(await call(client, 'parts__orders', {}))).toContain('/id: must be integer')
    })
  } finally {
    await component.close()
  }
})

/** A plugin that keeps what its handlers got. */
const got: unknown[] = []
const keeper: Plugin = definePlugin({
  name: 'keeper',
  key: 'plugin',
  config: z.strictObject({}),
  create: (_config, { name, log }) =>
    createBackend({
      name,
      log,
      tools: [
        createTool({
          metadata: { name: 'keep', description: 'Keeps', inputSchema: { type: 'object' } },
          handler(args) {
            got.push(args)
            return 'kept'
          },
        }),
      ],
      methods: [
        createMethod({
          name: 'keep.it',
          handler(params) {
            got.push(params)
            return 'kept'
          },
        }),
      ],
    }),
})

verifies('MCP-2.12', { revisions: ['2024-11-05', '2025-11-25'] }, async (cell) => {
  await inGateway(
    cell,
    { keeper: { plugin: 'keeper' } },
    async ({ client: open }) => {
      const client = await open()
      got.splice(0)
      const refused = exact('{"order":{"a/b":[1,1234567890123456789]},"price":1e400}')
      const reasons = `/order/a~1b/1: 1234567890123456789 would become 1234567890123456800; send it as a string if a string is accepted there
- /price: 1e400 is too large`
      const answer = await call(client, 'keeper__keep', refused)
      if (cell.revision === '2025-11-25') expect(resultOf(answer)).toMatchObject({ isError: true })
      else expect(errorOf(answer)).toMatchObject({ code: -32602, data: { reason: 'invalid_arguments' } })
      expect(cell.revision === '2025-11-25' ? textOf(answer) : errorOf(answer).message).toContain(reasons)
      const error = errorOf(await client.request('keep.it', refused))
      expect(error).toMatchObject({ code: -32602, message: expect.stringContaining(reasons) as string })
      expect(got).toEqual([])

      const doubles = '{"a":[0.1,0.10000000000000001,1.0,1e21,1e23,1.7976931348623157e308,5e-324,-9007199254740991]}'
      expect(textOf(await call(client, 'keeper__keep', exact(doubles)))).toBe('kept')
      expect(await client.request('keep.it', exact(doubles))).toMatchObject({ result: 'kept' })
      expect(got.splice(0)).toEqual([JSON.parse(doubles), JSON.parse(doubles)])
    },
    { plugins: [keeper] },
  )
})

let sample: string
beforeAll(async () => {
  sample = await buildWasmSample()
}, 120_000)

verifies('WASM-6', {}, async (cell) => {
  await inGateway(cell, { wasm: { wasm: sample } }, async ({ client: open }) => {
    const sent = '{"id":1234567890123456789,"list":[9007199254740993,0.1]}'
    expect(textOf(await call(await open(), 'wasm__given', exact(sent)))).toBe(sent)
  })
})
