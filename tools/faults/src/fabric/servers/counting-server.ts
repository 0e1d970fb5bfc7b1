import { appendFileSync } from 'node:fs'
import { setTimeout as after } from 'node:timers/promises'
import { createInterface } from 'node:readline'

// A hand-written stdio MCP server. Every run of a tool appends a line to a file: the first argument. `adds` must not
// run twice, `sets` may.

interface Message {
  readonly id?: number | string
  readonly method?: string
  readonly params?: { readonly name?: string; readonly arguments?: { readonly nonce?: string; readonly ms?: number } }
}

const [file = ''] = process.argv.slice(2)

const inputSchema = { type: 'object', properties: { nonce: { type: 'string' }, ms: { type: 'number' } } }
const tools = [
  { name: 'adds', inputSchema },
  { name: 'sets', inputSchema, annotations: { idempotentHint: true } },
]

async function answerTo({ method, params }: Message): Promise<object> {
  if (method === 'initialize') {
    return {
      protocolVersion: '2025-11-25',
      capabilities: { tools: {} },
      serverInfo: { name: 'counting', version: '1' },
    }
  }
  if (method === 'tools/list') return { tools }
  if (method !== 'tools/call') return {}
  const { nonce = '', ms = 0 } = params?.arguments ?? {}
  appendFileSync(file, `${nonce}\n`)
  await after(ms)
  return { content: [{ type: 'text', text: nonce }] }
}

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line) as Message
  if (message.id === undefined) continue
  // Calls are handled concurrently.
  void answerTo(message).then((result) =>
    process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id: message.id, result })}\n`),
  )
}
