import type { JsonObject } from '@junctor/jsonrpc'
import { type ScriptedRequest, startScriptedServer } from '@junctor/testkit'
import { expect, onTestFinished } from 'vitest'
import { inGateway } from '../src/in-gateway.ts'
import { resultOf } from '../src/result-of.ts'
import { verifies } from '../src/verifies.ts'

/** The response of a server without its id. In JavaScript, because a program of its own runs it too. */
function answerTo({ method, params }: { method?: string; params?: { protocolVersion?: string } }) {
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
  return { jsonrpc: '2.0', result: results[method ?? ''] ?? {} }
}

/** How a server writes the id 1: as text, or as a number with a fraction, as readers do that know only doubles. */
const forms = { text: ['"', '"'], fraction: ['', '.0'] } as const

/** The server as a program. */
const programOf = ([before, after]: readonly string[]): string => `
const answerTo = ${answerTo.toString()}
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const message = JSON.parse(line)
  const answer = JSON.stringify(answerTo(message)).slice(1)
  if (message.id !== undefined) console.log('{"id":' + ${JSON.stringify(before)} + message.id + ${JSON.stringify(after)} + ',' + answer)
})`

async function overHttp([before, after]: readonly string[]): Promise<string> {
  const served = await startScriptedServer(({ body }: ScriptedRequest, response) => {
    const message = body as Parameters<typeof answerTo>[0] & { id?: number }
    if (message.id === undefined) return void response.writeHead(202).end()
    const answer = JSON.stringify(answerTo(message)).slice(1)
    return void response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(`{"id":${before}${message.id}${after},${answer}`)
  })
  onTestFinished(() => served.close())
  return served.origin
}

verifies('MCP-2.13', { ways: ['http'] }, async (cell) => {
  const own = (form: readonly string[]) => ({ command: process.execPath, args: ['-e', programOf(form)] })
  const backends = {
    'own-text': own(forms.text),
    'own-fraction': own(forms.fraction),
    'web-text': { url: await overHttp(forms.text) },
    'web-fraction': { url: await overHttp(forms.fraction) },
  }
  await inGateway(cell, backends, async ({ client }) => {
    const one = await client()
    for (const name of Object.keys(backends)) {
      const result = resultOf(await one.request('tools/call', { name: `${name}__greet`, arguments: {} }))
      expect(result).toEqual({ content: [{ type: 'text', text: 'hello' }] })
    }
  })
})
