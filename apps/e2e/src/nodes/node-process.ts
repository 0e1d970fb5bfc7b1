import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'

const bin = resolve(import.meta.dirname, '../../../../bin')

/** A node as a process of its own, which can be ended and started again. */
export interface NodeProcess {
  /** Of the process that runs now. */
  readonly pid: number
  /** Where it listens: that of its first start, for all others. */
  readonly url: string
  readonly admin: string
  /** Ends it as a service manager does, and resolves with its exit code when it is gone. */
  stop(): Promise<number | NodeJS.Signals>
  /** Starts it again, and resolves when it is ready. */
  start(): Promise<void>
  /** What it logged. */
  readonly log: string
}

/** What a node says when it is ready. */
interface Ready {
  readonly http?: string
  readonly admin: string
}

export interface NodeProcessOptions {
  /** In `bin`. */
  readonly command: string
  readonly words: readonly string[]
  /** The words for the ports of the one before, on the same ports. */
  readonly again: (ready: Ready) => readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

/** Starts a command of the clone, and waits until it is ready. */
export async function startNode({ command, words, again, env = {} }: NodeProcessOptions): Promise<NodeProcess> {
  let log = ''
  const run = async (ports: readonly string[]): Promise<{ child: ChildProcess; ready: Ready }> => {
    const child = spawn(`${bin}/${command}`, [...words, ...ports, '--json', '--log-level', 'warn'], {
      env: { PATH: process.env['PATH'] ?? '', ...env },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    const { promise, resolve: found, reject } = Promise.withResolvers<Ready>()
    let rest = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      log += text
      const lines = (rest + text).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) if (line.startsWith('{"ready":true')) found(JSON.parse(line) as Ready)
    })
    child.once('close', (code) => reject(new Error(`${command} ended with ${code} before it was ready:\n${log}`)))
    return { child, ready: await promise }
  }

  const first = await run([])
  let { child } = first
  return {
    get pid() {
      return child.pid ?? 0
    },
    url: first.ready.http ?? '',
    admin: first.ready.admin,
    get log() {
      return log
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode ?? child.signalCode ?? 0
      const closed = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>
      child.kill('SIGTERM')
      const [code, signal] = await closed
      return code ?? signal ?? 0
    },
    async start() {
      ;({ child } = await run(again(first.ready)))
    },
  }
}
