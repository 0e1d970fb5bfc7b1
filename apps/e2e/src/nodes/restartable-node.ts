import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readAdmin } from '../canaries/read-admin.ts'
import { type SecretsWatch, watchSecrets } from '../canaries/watch-secrets.ts'

/** A node in its own process, which can be stopped and started again. */
export interface RestartableNode {
  /** The URL of its first start, which it keeps in later starts. */
  readonly url: string
  /** Stops it like a service manager, and resolves with its exit code when it has ended. */
  stop(): Promise<number | NodeJS.Signals>
  /** Starts it again, and resolves when it is ready. */
  start(): Promise<void>
  /** The log so far. */
  readonly log: string
}

/** The line of a node that is ready. */
interface Ready {
  readonly http?: string
  readonly admin: string
}

interface RestartableNodeOptions {
  /** The command line. */
  readonly command: readonly [program: string, ...words: string[]]
  /** The options for a restart on the same ports. */
  readonly again: (ready: Ready) => readonly string[]
  /** Of the admin port. Default: it needs none. */
  readonly token?: string
}

/** A process of a node, and the watch over its output for the operator. */
interface Run {
  readonly child: ChildProcess
  readonly ready: Ready
  readonly watch: SecretsWatch
}

/** Starts a command, and waits until it is ready. */
export async function startNode(options: RestartableNodeOptions): Promise<RestartableNode> {
  const {
    command: [program, ...words],
    again,
    token = '',
  } = options
  let log = ''
  const run = async (ports: readonly string[]): Promise<Run> => {
    const watch = watchSecrets([token])
    const child = spawn(program, [...words, ...ports, '--json', '--log-level', 'debug'], {
      env: { PATH: process.env['PATH'] ?? '' },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    const { promise, resolve: found, reject } = Promise.withResolvers<Ready>()
    let rest = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      log += text
      watch.record('log', text)
      const lines = (rest + text).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) if (line.startsWith('{"ready":true')) found(JSON.parse(line) as Ready)
    })
    child.once('close', (code) => reject(new Error(`${program} ended with ${code} before it was ready:\n${log}`)))
    return { child, ready: await promise, watch }
  }

  const first = await run([])
  let { child, watch } = first
  return {
    url: first.ready.http ?? '',
    get log() {
      return log
    },
    async stop() {
      const closed = ended(child) ? [child.exitCode, child.signalCode] : once(child, 'close')
      if (!ended(child)) {
        for (const [path, text] of await readAdmin(first.ready.admin, token, true)) watch.record(path, text)
        child.kill('SIGTERM')
      }
      const [code, signal] = (await closed) as [number | null, NodeJS.Signals | null]
      watch.end()
      return code ?? signal ?? 0
    },
    async start() {
      watch.end()
      ;({ child, watch } = await run(again(first.ready)))
    },
  }
}

function ended({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null
}
