import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { judge, type RowResult } from './compare.ts'
import type { StartRow } from './rows.ts'
import { spread } from './statistics.ts'

/** A program and its arguments. */
type Command = readonly [string, ...string[]]

const repository = join(import.meta.dirname, '../../..')

/**
 * The command of the published package, for all rows of a run: it is built when a row first needs it. A run of all tests
 * has built it already.
 */
export function packedOnce(): () => Promise<string> {
  const built = process.env['TEST_JUNCTOR_PROGRAM']
  let packed = built === undefined ? undefined : Promise.resolve(built)
  return () => (packed ??= pack())
}

async function pack(): Promise<string> {
  const app = join(repository, 'apps/gateway')
  await promisify(execFile)(join(repository, 'node_modules/.bin/tsdown'), ['--config', '../../tsdown.config.ts'], {
    cwd: app,
  })
  return join(app, 'dist/main.js')
}

/** The first messages of a client. The answer to the second request is the first useful one. */
const greeting = [
  {
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '0' } },
  },
  { method: 'notifications/initialized' },
  { id: 2, method: 'tools/list' },
]
  .map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  .join('')

/** The unit of processor time in Linux, in seconds. */
const tick = 0.01

/**
 * Starts the demo on standard streams repeatedly, and measures the processor time of the process until it has listed
 * its tools. Linux only, because it reports the processor time of other processes.
 */
export async function measureStart(
  { name, title, bar, form, cache }: StartRow,
  rounds: number,
  packed: () => Promise<string>,
): Promise<RowResult> {
  const folder = await mkdtemp(join(tmpdir(), 'junctor-bench-'))
  const command: Command = form === 'clone' ? [join(repository, 'bin/junctor')] : [process.execPath, await packed()]
  const start = (round: number): Promise<number> =>
    secondsToList(command, folder, join(folder, cache === 'cold' ? `cache-${round}` : 'cache'))
  try {
    const seconds: number[] = []
    // The first start leaves the cache for a warm one.
    if (cache === 'warm') await start(0)
    for (let round = 0; round < rounds; round += 1) {
      // Concurrent starts would slow each other down.
      // oxlint-disable-next-line no-await-in-loop
      seconds.push(await start(round))
    }
    const value = spread(seconds)
    return { name, title, baseline: undefined, value, bar, verdict: judge(value.median, bar) }
  } finally {
    await rm(folder, { recursive: true })
  }
}

async function secondsToList([command, ...words]: Command, folder: string, cache: string): Promise<number> {
  const env = { ...process.env, NODE_COMPILE_CACHE: cache }
  const child = spawn(command, [...words, 'serve', '--stdio'], { cwd: folder, env, stdio: ['pipe', 'pipe', 'ignore'] })
  const ended = once(child, 'exit')
  child.stdin.write(greeting)
  let listed = false
  for await (const line of createInterface({ input: child.stdout })) {
    listed = (JSON.parse(line) as { id?: number; result?: object }).id === 2
    if (listed) break
  }
  if (!listed) throw new Error('expected a list of tools, got the end of the gateway')
  const stat = await readFile(`/proc/${child.pid}/stat`, 'utf8')
  // The name of the program, in parentheses, may contain spaces; user and system time are the 12th and 13th field after
  // it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  child.stdin.end()
  child.stdout.resume()
  await ended
  return (Number(fields[11]) + Number(fields[12])) * tick
}
