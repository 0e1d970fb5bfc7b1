import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { eventually, listDescendants, type ProcessInfo, workerProgram } from '@junctor/testkit'

/** A worker in its own process. */
export interface WorkerProcess {
  readonly child: ChildProcess
  /** Its standard error so far. */
  stderr(): string
  /** Waits for the last line of its start, and returns its content. */
  ready(): Promise<{ readonly ready: boolean; readonly node: string; readonly backends: readonly string[] }>
  /** Waits for the end. Returns the exit code, or the signal. */
  ended(): Promise<number | NodeJS.Signals>
  descendants(): readonly ProcessInfo[]
}

/**
 * Runs the command.
 *
 * @param folder its working directory. Default: that of this process
 */
export function startWorker(words: readonly string[], folder?: string): WorkerProcess {
  const child = spawn(process.execPath, [workerProgram, ...words], { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] })
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
