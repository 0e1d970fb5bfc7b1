import { once } from 'node:events'
import { setTimeout as after } from 'node:timers/promises'
import { createInterface } from 'node:readline'

// A hand-written stdio MCP server that sends too many messages. Its only argument is a JSON object of options.

interface Options {
  /** The number of tools on the single page of its list, in addition to its own. */
  readonly tools?: number
}

type Params = Record<string, unknown> & {
  readonly arguments?: Record<string, unknown>
  readonly _meta?: { progressToken?: unknown }
}
interface Message {
  readonly id?: number | string
  readonly method?: string
  readonly params?: Params
}

const { tools = 0 } = JSON.parse(process.argv[2] ?? '{}') as Options
const names = ['echo', 'flood', 'large', 'repeat', 'who']

/** Waits for its reader, as every program does that prints to a pipe. */
async function say(text: string): Promise<void> {
  if (!process.stdout.write(`${text}\n`)) await once(process.stdout, 'drain')
}

const answer = (id: Message['id'], result: object): Promise<void> => say(JSON.stringify({ jsonrpc: '2.0', id, result }))
const text = (value: string): object => ({ content: [{ type: 'text', text: value }] })

const body = (method: string, params: object): string => JSON.stringify({ jsonrpc: '2.0', method, params })

/** Makes the messages of a flood: the text of one notification, by its number. */
function drop(kind: unknown, token: unknown): (count: number | string) => string {
  if (kind === 'progress') {
    return (count) =>
      body('notifications/progress', { progressToken: token, progress: Number(count) || 1, message: `step ${count}` })
  }
  if (kind === 'list_changed') return () => body('notifications/tools/list_changed', {})
  return (count) => body('notifications/message', { level: 'error', data: `${count} ${'x'.repeat(60)}` })
}

async function call(id: Message['id'], name: unknown, params: Params): Promise<void> {
  const given = params.arguments ?? {}
  if (name === 'flood') {
    // In writes of many lines: as fast as a program can.
    const next = drop(given['kind'], params._meta?.progressToken)
    const total = Number(given['count'])
    for (let count = 0; count < total; count += 500) {
      const lines = Array.from({ length: Math.min(500, total - count) }, (_, index) => next(count + index + 1))
      // oxlint-disable-next-line no-await-in-loop
      await say(lines.join('\n'))
    }
    return answer(id, text(`flooded ${total}`))
  }
  if (name === 'large') {
    await after(Number(given['ms'] ?? 0))
    return answer(id, text('x'.repeat(Number(given['bytes']))))
  }
  if (name === 'repeat') {
    const { ms, text: repeated } = given
    await say(drop('progress', params._meta?.progressToken)(String(repeated)))
    await after(Number(ms))
    return answer(id, text(String(repeated)))
  }
  if (name === 'who') return answer(id, text(String(process.pid)))
  return answer(id, { content: [], structuredContent: given })
}

function list(): object {
  const own = names.map((name) => ({ name, inputSchema: { type: 'object' } }))
  return {
    tools: [
      ...own,
      ...Array.from({ length: tools }, (_, index) => ({ name: `t${index}`, inputSchema: { type: 'object' } })),
    ],
  }
}

async function take({ id, method, params = {} }: Message): Promise<void> {
  if (id === undefined) return
  if (method === 'initialize') {
    return answer(id, {
      protocolVersion: params['protocolVersion'],
      capabilities: { tools: { listChanged: true }, logging: {} },
      serverInfo: { name: 'loud', version: '1' },
    })
  }
  if (method === 'tools/list') return answer(id, list())
  if (method === 'tools/call') return call(id, params['name'], params)
  if (method === 'ping' || method === 'logging/setLevel') return answer(id, {})
  return say(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } }))
}

for await (const line of createInterface({ input: process.stdin })) void take(JSON.parse(line) as Message)
