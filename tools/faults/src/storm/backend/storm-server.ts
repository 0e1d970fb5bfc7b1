import { once } from 'node:events'
import { appendFileSync } from 'node:fs'
import { setTimeout as after } from 'node:timers/promises'
import { createInterface } from 'node:readline'

// A stdio MCP server by hand whose tools write down that they ran, for the storm to count. Its only argument is the file.

interface Params {
  readonly protocolVersion?: string
  readonly name?: string
  readonly arguments?: { readonly id?: string; readonly ms?: number }
  readonly _meta?: { readonly progressToken?: unknown }
}
interface Message {
  readonly id?: number | string
  readonly method?: string
  readonly params?: Params
}

const [, , file = ''] = process.argv
const steps = 4

const schema = {
  type: 'object',
  properties: { id: { type: 'string' }, ms: { type: 'number' } },
  required: ['id'],
}
const tools = [
  { name: 'echo', inputSchema: schema, annotations: { readOnlyHint: true, openWorldHint: false } },
  { name: 'append', inputSchema: schema, annotations: { readOnlyHint: false, idempotentHint: false } },
  { name: 'slow', inputSchema: schema, annotations: { readOnlyHint: false, idempotentHint: true } },
]

async function say(message: object): Promise<void> {
  if (!process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)) await once(process.stdout, 'drain')
}

async function call(id: Message['id'], { name, arguments: given, _meta }: Params): Promise<void> {
  const text = given?.id ?? ''
  // One write of a short line to a file that is open for appending is whole, whoever else writes there.
  if (name !== 'echo') appendFileSync(file, `${text}\n`)
  if (name === 'slow') {
    for (let step = 1; step <= steps; step += 1) {
      // oxlint-disable-next-line no-await-in-loop
      await after((given?.ms ?? 100) / steps)
      if (_meta?.progressToken === undefined) continue
      const params = { progressToken: _meta.progressToken, progress: step, total: steps, message: text }
      // oxlint-disable-next-line no-await-in-loop
      await say({ method: 'notifications/progress', params })
    }
  }
  await say({ id, result: { content: [{ type: 'text', text }] } })
}

async function answer({ id, method, params = {} }: Message): Promise<void> {
  if (id === undefined) return
  if (method === 'initialize') {
    const serverInfo = { name: 'storm', version: '1' }
    const { protocolVersion } = params
    await say({ id, result: { protocolVersion, capabilities: { tools: {} }, serverInfo } })
  } else if (method === 'tools/list') await say({ id, result: { tools } })
  else if (method === 'tools/call') await call(id, params)
  else await say({ id, result: {} })
}

createInterface({ input: process.stdin }).on('line', (line) => void answer(JSON.parse(line) as Message))
