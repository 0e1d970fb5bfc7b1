import { once } from 'node:events'
import { appendFileSync } from 'node:fs'
import { setTimeout as after } from 'node:timers/promises'
import { createInterface } from 'node:readline'

// A hand-written stdio MCP server whose tools record their runs, for the storm to count. Its arguments are two files:
// for the ids of calls that ran, and for the events of calls that wait for a cancel.

interface Params {
  readonly protocolVersion?: string
  readonly name?: string
  readonly arguments?: { readonly id?: string; readonly ms?: number }
  readonly requestId?: number | string
  readonly _meta?: { readonly progressToken?: unknown }
}
interface Message {
  readonly id?: number | string
  readonly method?: string
  readonly params?: Params
}

const [, , file = '', waits = ''] = process.argv
const steps = 4
/** Uncancelled calls of `wait`: their ids, by those of their requests. */
const waiting = new Map<Message['id'], string>()

const schema = {
  type: 'object',
  properties: { id: { type: 'string' }, ms: { type: 'number' } },
  required: ['id'],
}
const tools = [
  { name: 'echo', inputSchema: schema, annotations: { readOnlyHint: true, openWorldHint: false } },
  { name: 'append', inputSchema: schema, annotations: { readOnlyHint: false, idempotentHint: false } },
  { name: 'slow', inputSchema: schema, annotations: { readOnlyHint: false, idempotentHint: true } },
  { name: 'wait', inputSchema: schema, annotations: { readOnlyHint: true, openWorldHint: false } },
]

async function say(message: object): Promise<void> {
  if (!process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)) await once(process.stdout, 'drain')
}

/** Waits for a cancel, and reports when the call can be cancelled. */
async function wait(id: Message['id'], text: string, progressToken: unknown): Promise<void> {
  waiting.set(id, text)
  writeWait('began', text)
  await say({ method: 'notifications/progress', params: { progressToken, progress: 1, message: text } })
}

function cancelled(id: Message['id']): void {
  const text = waiting.get(id)
  if (text !== undefined) writeWait('notified', text)
  waiting.delete(id)
}

function writeWait(what: 'began' | 'notified', text: string): void {
  appendFileSync(waits, `${JSON.stringify({ what, id: text, pid: process.pid, at: Date.now() })}\n`)
}

async function call(id: Message['id'], { name, arguments: given, _meta }: Params): Promise<void> {
  const text = given?.id ?? ''
  if (name === 'wait') return wait(id, text, _meta?.progressToken)
  // One write of a short line to a file that is opened for appending is atomic.
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
  if (method === 'notifications/cancelled') cancelled(params.requestId)
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
