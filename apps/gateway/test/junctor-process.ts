import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { compiledOnce, eventually, junctorArgs, listDescendants, type ProcessInfo } from '@junctor/testkit'
import { expect } from 'vitest'

/** How long a start or an end may take on a busy machine. */
export const processTimeout = { timeout: 30_000, interval: 20 }

/**
 * The command in a process of its own, which the test ends. Nothing of its output is lost: `stdout` and `stderr` give
 * all of it so far.
 */
export interface JunctorProcess {
  readonly child: ChildProcessWithoutNullStreams
  stdout(): string
  stderr(): string
  /** Waits for a line on standard error, and returns what the pattern captured. */
  line(pattern: RegExp): Promise<string>
  /** Waits for the end. Returns the exit code, or the signal. */
  ended(): Promise<number | NodeJS.Signals>
  /** The processes that it started, and those that they started. */
  descendants(): readonly ProcessInfo[]
}

/** Default: in the folder of the tests, with no environment but `PATH` and what makes Node start faster. */
export interface StartOptions {
  readonly folder?: string
  readonly env?: Readonly<Record<string, string>>
}

/** The processes of one test. */
export interface TestProcesses {
  start(words: readonly string[], options?: StartOptions): JunctorProcess
  /** Ends those that still run, after each test. */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>
}

/** Creates the list of the processes of a test file, which is empty at the start of each test. */
export function createTestProcesses(): TestProcesses {
  const running: JunctorProcess[] = []
  return {
    start(words, options) {
      const one = startJunctor(words, options)
      running.push(one)
      return one
    },
    async end(signal) {
      const ending = running.splice(0)
      for (const { child } of ending) child.kill(signal)
      await Promise.all(ending.map((one) => one.ended()))
    },
  }
}

/** Runs the command like a terminal would, but without colours. */
export function startJunctor(words: readonly string[], { folder, env = {} }: StartOptions = {}): JunctorProcess {
  const child = spawn(process.execPath, [...junctorArgs, ...words], {
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '', ...compiledOnce, ...env },
  })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  // A process that ends early closes its input. A write of the test after that is not an error.
  child.stdin.on('error', () => {})
  const closed = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>
  return {
    child,
    stdout: () => stdout,
    stderr: () => stderr,
    line: (pattern) =>
      eventually(() => {
        expect(stderr).toMatch(pattern)
        return pattern.exec(stderr)?.[1] ?? ''
      }, processTimeout.timeout),
    async ended() {
      const [code, signal] = await closed
      return code ?? signal ?? 'SIGKILL'
    },
    descendants: () => listDescendants(child.pid),
  }
}
