import type { JsonObject } from '@junctor/jsonrpc'
import { type ScriptedRequest, sendJson, startScriptedServer } from '@junctor/testkit'
import { expect, onTestFinished } from 'vitest'
import { inGateway } from '../src/in-gateway.ts'
import { resultOf } from '../src/result-of.ts'
import { verifies } from '../src/verifies.ts'

/** The response of a server that writes each id as text. In JavaScript, because a program of its own runs it too. */
function answerOf({ id, method, params }: { id?: number; method?: string; params?: { protocolVersion?: string } }) {
  const inputSchema = { type: 'object' }
  const results: JsonObject = {
    initialize: {
      protocolVersion: params?.protocolVersion ?? null,
      capabilities: { tools: {} },
      serverInfo: { name: 'text', version: '1' },
    },
    'tools/list': { tools: [{ name: 'greet', inputSchema }] },
    'tools/call': { content: [{ type: 'text', text: 'hello' }] },
  }
  return { jsonrpc: '2.0', id: String(id), result: results[method ?? ''] ?? {} }
}

/** The server as a program. */
const program = `
const answerOf = ${answerOf.toString()}
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const message = JSON.parse(line)
  if (message.id !== undefined) console.log(JSON.stringify(answerOf(message)))
})`

async function overHttp(): Promise<string> {
  const served = await startScriptedServer(({ body }: ScriptedRequest, response) => {
    const message = body as { id?: number }
    if (message.id === undefined) return void response.writeHead(202).end()
    return sendJson(response, answerOf(message))
  })
  onTestFinished(() => served.close())
  return served.origin
}

verifies('MCP-2.13', { ways: ['http'] }, async (cell) => {
  const backends = { own: { command: process.execPath, args: ['-e', program] }, web: { url: await overHttp() } }
  await inGateway(cell, backends, async ({ client }) => {
    const one = await client()
    for (const name of Object.keys(backends)) {
      const result = resultOf(await one.request('tools/call', { name: `${name}__greet`, arguments: {} }))
      expect(result).toEqual({ content: [{ type: 'text', text: 'hello' }] })
    }
  })
})
