import type { ServerResponse } from 'node:http'
import type { JsonObject } from '@junctor/jsonrpc'
import { type ScriptedRequest, sendJson, startScriptedServer } from '@junctor/testkit'
import { expect, onTestFinished } from 'vitest'
import { inGateway } from '../src/in-gateway.ts'
import { errorOf } from '../src/result-of.ts'
import { verifies } from '../src/verifies.ts'

// Servers that print a number which JSON does not have into their answers.

const results: JsonObject = {
  initialize: {
    protocolVersion: '2025-11-25',
    capabilities: { tools: {} },
    serverInfo: { name: 'nan', version: '1' },
  },
  'tools/list': { tools: ['first', 'last'].map((name) => ({ name, inputSchema: { type: 'object' } })) },
}

/** The answer to a call: its id comes first or last. */
function broken(id: string, name: string): string {
  const result = '"result":{"content":[],"structuredContent":{"mean":NaN}}'
  return name === 'first' ? `{"jsonrpc":"2.0","id":${id},${result}}` : `{${result},"id":${id},"jsonrpc":"2.0"}`
}

const program = `const results = ${JSON.stringify(results)}
const broken = ${String(broken)}
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (method === 'tools/call') console.log(broken(JSON.stringify(id), params.name))
  else if (id !== undefined) {
    const outcome = results[method] ? { result: results[method] } : { error: { code: -32601, message: 'no' } }
    console.log(JSON.stringify({ jsonrpc: '2.0', id, ...outcome }))
  }
})`

/** The same over HTTP. A call is answered on a stream, which stays open. */
async function overHttp(): Promise<string> {
  const served = await startScriptedServer(({ method: verb, body }: ScriptedRequest, response: ServerResponse) => {
    const { id, method, params } = (body ?? {}) as { id?: number; method?: string; params?: { name?: string } }
    if (verb === 'GET') return void response.writeHead(405).end()
    if (id === undefined || method === undefined) return void response.writeHead(202).end()
    if (method === 'tools/call') {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      return void response.write(`data: ${broken(JSON.stringify(id), params?.name ?? '')}\n\n`)
    }
    const result = results[method]
    const outcome = result === undefined ? { error: { code: -32_601, message: 'no' } } : { result }
    return sendJson(response, { jsonrpc: '2.0', id, ...outcome })
  })
  onTestFinished(() => served.close())
  return served.origin
}

verifies('REL-15', { ways: ['http'] }, async (cell) => {
  const backends = {
    program: { command: process.execPath, args: ['-e', program] },
    web: { url: await overHttp() },
  }
  await inGateway(cell, backends, async ({ client }) => {
    const one = await client()
    for (const name of ['program__first', 'program__last', 'web__first', 'web__last']) {
      const { message, data } = errorOf(await one.request('tools/call', { name, arguments: {} }))
      expect(data).toMatchObject({ reason: 'tool_failed' })
      expect(message).toContain('Expected JSON')
    }
  })
})
