import { compiledOnce } from '@junctor/testkit'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { parse } from 'yaml'
import { type GuideStep, printsAll } from './read-guide.ts'

/** The environment of a guide. */
export interface GuidePlace {
  /** An empty folder, where the first commands run. */
  readonly folder: string
  /** The home folder of the reader. */
  readonly home: string
  /** The repository, whose `bin` is on the PATH. */
  readonly repository: string
  /** Folders with programs, in front of the PATH. */
  readonly programs: readonly string[]
}

/** How long a step may take, in milliseconds. */
const timeoutMs = 60_000

/**
 * Runs a guide step by step, as its reader would: variables that one step exports are set in later steps, and a step
 * begins in the folder where the one before has ended. Rejects with the line of the first step that fails.
 */
export async function runGuide(steps: readonly GuideStep[], place: GuidePlace): Promise<void> {
  const servers = new Map<string, RunningStep>()
  try {
    for (const step of steps) {
      if (step.kind !== 'serve' && step.kind !== 'stop') await follow(step, place)
      else {
        await servers.get(step.name)?.stop()
        servers.delete(step.name)
        if (step.kind === 'serve') await serve(step, place, servers)
      }
    }
  } finally {
    // In reverse order, because a later program may need an earlier one.
    for (const server of [...servers.values()].toReversed()) await server.stop()
  }
}

async function serve(
  { name, script, expected, line }: GuideStep & { kind: 'serve' },
  place: GuidePlace,
  servers: Map<string, RunningStep>,
): Promise<void> {
  const server = new RunningStep(script, place)
  servers.set(name, server)
  await server.prints(expected, line)
}

async function follow(step: Exclude<GuideStep, { kind: 'serve' | 'stop' }>, place: GuidePlace): Promise<void> {
  if (step.kind === 'file') {
    const file = join(place.folder, step.name)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, `${step.text}\n`)
    return
  }
  if (step.kind === 'shown') {
    if (step.language === 'json') JSON.parse(step.text)
    if (step.language === 'yaml') parse(step.text)
    return
  }
  const until = performance.now() + timeoutMs
  for (;;) {
    const failure = await failureOf(step, place)
    if (failure === undefined) return
    if (!step.soon || performance.now() > until) throw new Error(failure)
  }
}

/** Runs a step to its end. Returns what went wrong, if anything did. */
async function failureOf(step: GuideStep & { kind: 'run' }, place: GuidePlace): Promise<string | undefined> {
  const running = new RunningStep(step.script, place)
  const code = await running.ended()
  if ((code !== 0) !== step.fails) return `line ${step.line}: exit code ${code}\n${running.printed}`
  if (printsAll(running.printed, step.expected)) return undefined
  return `line ${step.line}: expected\n${step.expected.join('\n')}\ngot\n${running.printed}`
}

/** Restores the exported variables and the folder of earlier steps, and saves those of this step. */
const carryOn =
  'if [ -f "$HOME/.exported" ]; then . "$HOME/.exported"; cd "$(cat "$HOME/.folder")"; fi\n' +
  'trap \'export -p >"$HOME/.exported"; pwd >"$HOME/.folder"\' EXIT\n'

/** A script in its own shell, with everything that it starts. */
class RunningStep {
  printed = ''
  readonly #child: ChildProcess
  readonly #exited: Promise<unknown>
  readonly #listeners = new Set<() => void>()

  constructor(script: string, { folder, home, repository, programs }: GuidePlace) {
    const { PATH = '' } = process.env
    const path = [...programs, join(repository, 'bin'), PATH].join(delimiter)
    this.#child = spawn('sh', ['-e', '-c', `${carryOn}${script}`], {
      cwd: folder,
      env: { PATH: path, HOME: home, LANG: 'C.UTF-8', TERM: 'dumb', ...compiledOnce },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    this.#exited = once(this.#child, 'close')
    const add = (chunk: Buffer): void => {
      this.printed += chunk.toString()
      for (const listener of this.#listeners) listener()
    }
    this.#child.stdout?.on('data', add)
    this.#child.stderr?.on('data', add)
    void this.#exited.then(() => this.#listeners.forEach((listener) => listener()))
  }

  /** The exit code. */
  async ended(): Promise<number> {
    const timer = setTimeout(() => this.#end('SIGKILL'), timeoutMs)
    await this.#exited
    clearTimeout(timer)
    return this.#child.exitCode ?? -1
  }

  /** Resolves when it has printed these lines. */
  async prints(expected: readonly string[], line: number): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const fail = (): void => reject(new Error(`line ${line}: expected\n${expected.join('\n')}\ngot\n${this.printed}`))
    const look = (): void => {
      if (printsAll(this.printed, expected)) resolve()
      else if (this.#child.exitCode !== null) fail()
    }
    const timer = setTimeout(fail, timeoutMs)
    this.#listeners.add(look)
    look()
    try {
      await promise
    } catch (error) {
      await this.stop()
      throw error
    } finally {
      clearTimeout(timer)
      this.#listeners.delete(look)
    }
  }

  async stop(): Promise<void> {
    this.#end('SIGTERM')
    const timer = setTimeout(() => this.#end('SIGKILL'), timeoutMs)
    await this.#exited
    clearTimeout(timer)
  }

  /** Ends the shell and everything that it started: they are one process group. */
  #end(signal: NodeJS.Signals): void {
    const { pid, exitCode } = this.#child
    if (pid === undefined || exitCode !== null) return
    try {
      process.kill(-pid, signal)
    } catch {
      // It has just ended on its own.
    }
  }
}
