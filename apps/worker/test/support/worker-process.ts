import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { eventually, listDescendants, type ProcessInfo } from '@junctor/testkit'

/** The file that Node runs. */
const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url))

/** A worker as a process of its own. */
export interface WorkerProcess {
  readonly child: ChildProcess
  /** What it has said. */
  stderr(): string
  /** Waits for its last line of the start, and gives what it says. */
  ready(): Promise<{ readonly ready: boolean; readonly node: string; readonly backends: readonly string[] }>
  /** Waits for the end: the exit code, or the signal. */
  ended(): Promise<number | NodeJS.Signals>
  descendants(): readonly ProcessInfo[]
}

/** Runs the command. */
export function startWorker(words: readonly string[]): WorkerProcess {
  const child = spawn(process.execPath, [main, ...words], { stdio: ['ignore', 'ignore', 'pipe'] })
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  const closed = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>
  return {
    child,
    stderr: () => stderr,
    ready: () =>
      eventually(() => {
        const line = stderr.split('\n').find((text) => text.startsWith('{"ready":'))
        if (line === undefined) throw new Error(`not ready: ${stderr}`)
        return JSON.parse(line)
      }, 30_000),
    async ended() {
      const [code, signal] = await closed
      return code ?? signal ?? 'SIGKILL'
    },
    descendants: () => listDescendants(child.pid),
  }
}
