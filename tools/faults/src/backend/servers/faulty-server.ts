import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, existsSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { setTimeout as after } from 'node:timers/promises'

// A hand-written stdio MCP server whose tools misbehave. Its only argument is a JSON object of options.

interface Options {
  /** Exits immediately while this file exists, and appends a character to it. */
  readonly crashIf?: string
  /** Always returns the same cursor; or another one each time. */
  readonly pages?: 'same' | 'endless'
  /** The duration of `tools/list`, in milliseconds. */
  readonly listMs?: number
}
type Arguments = Readonly<Record<string, unknown>>
interface Message {
  readonly id?: number
  readonly method?: string
  readonly params?: { readonly name?: string; readonly cursor?: string; readonly arguments?: Arguments } & Arguments
}

const options = JSON.parse(process.argv[2] ?? '{}') as Options
if (options.crashIf !== undefined && existsSync(options.crashIf)) {
  appendFileSync(options.crashIf, '.')
  process.exit(1)
}

const names = new Set(['echo', 'pid', 'wait', 'print', 'answer', 'stderr', 'exit', 'spawn', 'storm', 'change', 'seen'])
/** What clients have sent so far. */
const seen = { lists: 0, cancelled: 0, pages: 0 }

async function write(bytes: string | Uint8Array, stream: NodeJS.WriteStream = process.stdout): Promise<void> {
  if (!stream.write(bytes)) await once(stream, 'drain')
}

let printing: Promise<unknown> = Promise.resolve()

/** Serializes the output of lines, which may take long. */
function inTurn(print: () => Promise<void>): Promise<void> {
  const printed = printing.then(print)
  printing = printed
  return printed
}

const say = (message: object): Promise<void> =>
  inTurn(() => write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`))
const changed = (): Promise<void> => say({ method: 'notifications/tools/list_changed' })

/** Writes this many bytes without a newline, in pieces. */
async function fill(count: number, stream?: NodeJS.WriteStream, piece: string = 'x'.repeat(65_536)): Promise<void> {
  for (let left = count; left > 0; left -= piece.length) {
    // oxlint-disable-next-line no-await-in-loop
    await write(left < piece.length ? piece.slice(0, left) : piece, stream)
  }
}

/** Every tool: its action before the answer, and the text of the answer. */
const tools: Readonly<Record<string, (given: Arguments, id: number) => Promise<string | undefined>>> = {
  echo: async ({ text }) => String(text),
  pid: async () => String(process.pid),
  /** Answers after a while, cancelled or not. */
  async wait({ ms }) {
    await after(Number(ms))
    return 'waited'
  },
  /** Prints text that is not a message to stdout. */
  async print({ kind, bytes = 0, count = 1 }) {
    await inTurn(async () => {
      for (let index = 0; index < Number(count); index += 1) {
        // oxlint-disable no-await-in-loop
        if (kind === 'garbage') await write(`debug: line ${index}\n`)
        if (kind === 'invalid') await write(Uint8Array.of(0x7b, 0xc3, 0x28, 0xff, 0x7d, 0x0a))
        if (kind === 'long' || kind === 'endless') await fill(Number(bytes))
        if (kind === 'long') await write('\n')
        // oxlint-enable no-await-in-loop
      }
    })
    return kind === 'endless' ? undefined : 'printed'
  },
  /** An answer in a line that is too long: with its id at the usual place, or at the end. */
  async answer({ bytes, idLast = false }, id) {
    const head = idLast === true ? '{' : `{"jsonrpc":"2.0","id":${id},`
    await inTurn(async () => {
      await write(`${head}"result":{"content":[{"type":"text","text":"`)
      await fill(Number(bytes))
      await write(`"}]}${idLast === true ? `,"jsonrpc":"2.0","id":${id}` : ''}}\n`)
    })
    return undefined
  },
  async stderr({ bytes }) {
    await fill(Number(bytes), process.stderr, `${'e'.repeat(199)}\n`)
    return 'complained'
  },
  exit: async ({ code }) => process.exit(Number(code)),
  /** Starts children: one that stays in the group, one that leaves it for its own session. */
  async spawn() {
    const idle = ['-e', 'setInterval(() => {}, 1000)']
    const pids = [false, true].map((detached) => spawn(process.execPath, idle, { detached, stdio: 'ignore' }).pid)
    return pids.join(' ')
  },
  async storm({ count }) {
    for (let index = 0; index < Number(count); index += 1) {
      // oxlint-disable-next-line no-await-in-loop
      await changed()
    }
    return 'stormed'
  },
  /** Removes one tool and adds another one, while the call is in flight. */
  async change({ less, more, ms = 0 }) {
    names.delete(String(less))
    names.add(String(more))
    await changed()
    await after(Number(ms))
    return 'changed'
  },
  seen: async () => JSON.stringify(seen),
}

async function list(cursor: string | undefined): Promise<object> {
  seen.pages += 1
  if (cursor === undefined) seen.lists += 1
  await after(options.listMs ?? 0)
  const page = [...names].map((name) => ({ name, inputSchema: { type: 'object' } }))
  if (options.pages === 'same') return { tools: page, nextCursor: 'again' }
  if (options.pages === 'endless') return { tools: [], nextCursor: `page ${Number(cursor?.slice(5) ?? 0) + 1}` }
  return { tools: page }
}

async function result({ id = 0, method, params = {} }: Message): Promise<object | undefined> {
  if (method === 'initialize') {
    const { protocolVersion } = params
    const capabilities = { tools: { listChanged: true } }
    return { protocolVersion, capabilities, serverInfo: { name: 'faulty', version: '1' } }
  }
  if (method === 'tools/list') return list(params.cursor)
  if (method !== 'tools/call') return {}
  const tool = names.has(params.name ?? '') ? tools[params.name ?? ''] : undefined
  const text = await (tool?.(params.arguments ?? {}, id) ?? `no tool ${params.name}`)
  return text === undefined ? undefined : { content: [{ type: 'text', text }] }
}

async function take(message: Message): Promise<void> {
  if (message.method === 'notifications/cancelled') seen.cancelled += 1
  if (message.id === undefined || message.method === undefined) return
  const made = await result(message)
  if (made !== undefined) await say({ id: message.id, result: made })
}

for await (const line of createInterface({ input: process.stdin })) void take(JSON.parse(line) as Message)
// Does not wait for the process that has left the group.
process.exit(0)
