import { hash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { JsonObject } from '@junctor/jsonrpc'
import { startComponent } from '@junctor/testkit'
import { expect } from 'vitest'
import { plugins } from '../src/ftl/on-wire.ts'
import { heapInUse } from '../src/heap-in-use.ts'
import { createHttpWire } from '../src/http-wire.ts'
import { demo, inGateway, lean } from '../src/in-gateway.ts'
import { errorOf, resultOf, textOf } from '../src/result-of.ts'
import { sendInPieces } from '../src/send-in-pieces.ts'
import { verifies } from '../src/verifies.ts'

/** What gateways and proxies have believed of each other. */
const claims: readonly Readonly<Record<string, string>>[] = [
  { 'x-internal-token': 'internal' },
  { 'x-internal-request': 'true' },
  { 'x-junctor-node': 'n1', 'x-junctor-principal': 'ada', 'x-junctor-tenant': 'acme' },
  { 'mcp-principal': 'ada', 'mcp-tenant': 'acme', 'mcp-attempt': '2' },
  { 'x-mcp-authorized': 'ada', 'x-mcp-toolname': 'demo__echo' },
  { 'x-forwarded-user': 'ada', 'x-auth-request-user': 'ada', 'x-remote-user': 'ada' },
  { 'x-forwarded-for': '127.0.0.1', 'x-real-ip': '127.0.0.1', forwarded: 'for=127.0.0.1;host=localhost' },
  { 'x-original-url': '/mcp/acme', 'x-rewrite-url': '/mcp/acme', 'x-forwarded-prefix': '/mcp/acme' },
  { 'x-http-method-override': 'DELETE', 'x-authenticated': '1', 'x-api-key': 'key-of-ada-for-tests' },
]

const keyOf = (name: string): string => `key-of-${name}-for-tests`
const bearer = (name: string): Readonly<Record<string, string>> => ({ authorization: `Bearer ${keyOf(name)}` })
const hashOf = (name: string): string => `sha256:${hash('sha256', keyOf(name))}`

const initialize = (protocolVersion: string): JsonObject => ({
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion, capabilities: {}, clientInfo: { name: 'x', version: '1' } },
})

verifies('ATTACK-1', { ways: ['http'] }, async (cell) => {
  await inGateway(
    cell,
    { demo: demo() },
    async ({ gateway }) => {
      const statusOf = async (path: string, headers: Readonly<Record<string, string>>): Promise<number> => {
        const wire = createHttpWire(gateway.urls.map((url) => url.replace(/\/mcp.*$/, path)))
        const { status } = await wire.post(initialize(cell.revision), headers)
        await wire.close()
        return status
      }
      expect(await statusOf('/mcp/acme', bearer('ada'))).toBe(200)
      for (const claim of claims) {
        const statuses = [
          await statusOf('/mcp/acme', claim),
          await statusOf('/mcp/acme', { ...claim, ...bearer('bob') }),
          await statusOf('/mcp/other', { ...claim, ...bearer('bob') }),
        ]
        expect({ claim, statuses }).toEqual({ claim, statuses: [401, 404, 200] })
      }
    },
    {
      config: {
        tenants: { acme: { backends: ['demo'] }, other: { backends: ['demo'] } },
        auth: {
          apiKeys: {
            ada: { hash: hashOf('ada'), tenants: ['acme'] },
            bob: { hash: hashOf('bob'), tenants: ['other'] },
          },
        },
      },
    },
  )
})

/** Values whose members have the names of parts of every object. */
const polluting: readonly string[] = [
  '{"__proto__":{"polluted":"yes"}}',
  '{"constructor":{"prototype":{"polluted":"yes"}}}',
  '{"a":{"__proto__":{"polluted":"yes"},"b":[{"__proto__":{"polluted":"yes"}}]}}',
  '{"__proto__":null,"hasOwnProperty":1,"toString":{"__proto__":[]}}',
  '{"__proto__":["polluted"],"valueOf":"x","then":"y"}',
]

verifies('ATTACK-2', {}, async (cell) => {
  await inGateway(cell, { lean: lean() }, async ({ client }) => {
    const capabilities = JSON.parse('{"__proto__":{"polluted":"yes"},"experimental":{"__proto__":{}}}') as JsonObject
    const one = await client({ capabilities })
    for (const text of polluting) {
      const given = JSON.parse(text) as JsonObject
      const called = await one.request('tools/call', {
        name: 'lean__echo',
        arguments: given,
        _meta: JSON.parse(`{"com.example/a":${text},"__proto__":{"polluted":"yes"}}`) as JsonObject,
      })
      expect(JSON.stringify(resultOf(called)['structuredContent'])).toBe(text)
      // As params themselves, and as names.
      expect(errorOf(await one.request('tools/call', given))).toBeDefined()
      expect(errorOf(await one.request('prompts/get', { name: '__proto__', arguments: given }))).toBeDefined()
      await one.notify('notifications/roots/list_changed', given)
    }
    for (const name of ['__proto__', 'constructor', 'toString', 'lean____proto__']) {
      expect(errorOf(await one.request('tools/call', { name })).code).toBe(-32_602)
      expect(errorOf(await one.request(name, {})).code).toBe(-32_601)
    }
    expect(textOf(await one.request('tools/call', { name: 'lean__received' }))).toContain('"__proto__"')
    expect(Object.keys(Object.prototype)).toEqual([])
    expect('polluted' in {} || 'polluted' in [] || 'polluted' in Function).toBe(false)
  })
})

/** Schemas whose check takes a backtracking, a pairwise or a doubling validator seconds or years. */
const evil = '^([a-z0-9]+)+@x$'
const unique = { type: 'array', uniqueItems: true, items: { type: 'object' } }
const doubling = { properties: { a: { allOf: [{ $ref: '#/$defs/d' }, { $ref: '#/$defs/d' }] } } }
const hostile = {
  type: 'object',
  properties: { text: { pattern: evil }, tags: unique, deep: { $ref: '#/$defs/d' }, odd: { pattern: '^(?!a)' } },
  $defs: { d: doubling },
}
const text = 'a'.repeat(40)
const tags = Array.from({ length: 12_000 }, (_, n) => ({ n }))
const deep = Array.from({ length: 50 }).reduce<object>((inner) => ({ a: inner }), {})

/** An API in which the same schema describes the body. */
const api = (url: string): JsonObject => ({
  openapi: '3.1.0',
  info: { title: 'hostile', version: '1' },
  servers: [{ url }],
  paths: {
    '/': {
      post: {
        operationId: 'send',
        requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/body' } } } },
        responses: {},
      },
    },
  },
  components: {
    schemas: {
      body: {
        type: 'object',
        properties: { text: { type: 'string', pattern: evil }, tags: unique, deep: { $ref: '#/components/schemas/d' } },
      },
      d: JSON.parse(JSON.stringify(doubling).replaceAll('#/$defs/d', '#/components/schemas/d')) as JsonObject,
    },
  },
})

// The schemas are checked behind the transports, which have no part in it.
verifies('ATTACK-3', { ways: ['http'] }, async (cell) => {
  const outputSchema = { type: 'object', properties: { text: { type: 'string', pattern: evil } } }
  const description = { name: 'send', description: 'Sends', inputSchema: hostile, outputSchema }
  const component = await startComponent({
    description,
    answer: ({ body }) => ({ content: [], structuredContent: { text: body === '{"odd":"a"}' ? text : 'ok@x' } }),
  })
  const folder = mkdtempSync(join(tmpdir(), 'junctor-hostile-'))
  writeFileSync(join(folder, 'api.json'), JSON.stringify(api(component.url)))
  try {
    const backends = { parts: { tool: component.url }, api: { openapi: join(folder, 'api.json') } }
    await inGateway(
      cell,
      backends,
      async ({ client }) => {
        const [one, other] = [await client(), await client()]
        const send = async (name: string, args: object): Promise<string> => {
          const called = one.request('tools/call', { name, arguments: args as JsonObject })
          const startedAt = performance.now()
          // One of them is answered after the check has begun, at each node.
          for (let at = 0; at < 4; at += 1) resultOf(await other.request('ping'))
          // Without a limit, such a check takes days.
          expect(performance.now() - startedAt).toBeLessThan(20_000)
          const answer = await called
          return JSON.stringify(answer['error'] ?? resultOf(answer))
        }
        const refused = `must match pattern \\"${evil}\\"`
        const given = 'can be checked against the schema in 500 ms'
        expect(await send('parts__send', { text })).toContain(refused)
        expect(await send('parts__send', { tags: [...tags, { n: 0 }] })).toContain(
          '(items ## 0 and 12000 are identical)',
        )
        expect(await send('parts__send', { deep })).toContain(given)
        expect(component.calls).toEqual([])
        expect(await send('parts__send', { tags, text: 'ok@x' })).toContain('"text":"ok@x"')
        // The answer of the component is the attack. The pattern that cannot be matched in linear time is not checked.
        expect(await send('parts__send', { odd: 'a' })).toContain(`its outputSchema:\\n- /text: ${refused}`)
        expect(component.calls.map(({ body }) => body)).toEqual([JSON.stringify({ tags, text: 'ok@x' }), '{"odd":"a"}'])

        expect(await send('api__send', { body: { text } })).toContain(refused)
        expect(await send('api__send', { body: { tags: [...tags, { n: 0 }] } })).toContain('are identical')
        expect(await send('api__send', { body: { deep } })).toContain(given)
        expect(component.calls).toHaveLength(2)
        expect(await send('api__send', { body: { tags } })).toContain('"text":"ok@x"')
      },
      { plugins },
    )
  } finally {
    await component.close()
    rmSync(folder, { recursive: true })
  }
})

// Only the node that receives it has the request.
verifies('ATTACK-4', { ways: ['http'], nodes: [1], revisions: ['2025-11-25'] }, async (cell) => {
  await inGateway(cell, { demo: demo() }, async ({ gateway }) => {
    const [url = ''] = gateway.urls
    const before = heapInUse()
    let most = 0
    const answer = await sendInPieces(url, 200_000, () => (most = Math.max(most, heapInUse() - before)))
    expect(answer).toContain('"code":-32700')
    expect(most).toBeLessThan(8e6)
  })
})
