import { hash } from 'node:crypto'
import { expect } from 'vitest'
import type { JsonObject } from '@junctor/jsonrpc'
import { createHttpWire } from '../src/http-wire.ts'
import { demo, inGateway, lean } from '../src/in-gateway.ts'
import { errorOf, resultOf, textOf } from '../src/result-of.ts'
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
