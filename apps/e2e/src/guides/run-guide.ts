import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parse } from 'yaml'
import { type GuideStep, printsAll } from './read-guide.ts'

/** Where a guide is followed. */
export interface GuidePlace {
  /** An empty folder, which is also the home of whoever follows it. */
  readonly folder: string
  /** The repository, whose `bin` is on the PATH. */
  readonly repository: string
}

/** How long a step may take, in milliseconds. */
const patienceMs = 60_000

/** Follows a guide step by step, as its reader would. Rejects with the line of the first step that does not work. */
export async function runGuide(steps: readonly GuideStep[], place: GuidePlace): Promise<void> {
  const servers: RunningStep[] = []
  try {
    for (const step of steps) {
      const server = await follow(step, place)
      if (server !== undefined) servers.push(server)
    }
  } finally {
    await Promise.all(servers.map((server) => server.stop()))
  }
}

async function follow(step: GuideStep, place: GuidePlace): Promise<RunningStep | undefined> {
  if (step.kind === 'file') {
    const file = join(place.folder, step.name)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, step.text)
    return undefined
  }
  if (step.kind === 'shown') {
    if (step.language === 'json') JSON.parse(step.text)
    if (step.language === 'yaml') parse(step.text)
    return undefined
  }
  const running = new RunningStep(step.script, place)
  if (step.kind === 'serve') {
    await running.prints(step.expected, step.line)
    return running
  }
  const code = await running.ended()
  if ((code !== 0) !== step.fails) throw new Error(`line ${step.line}: exit code ${code}\n${running.printed}`)
  if (!printsAll(running.printed, step.expected)) {
    throw new Error(`line ${step.line}: expected\n${step.expected.join('\n')}\ngot\n${running.printed}`)
  }
  return undefined
}

/** A script in a shell of its own, with whatever it starts. */
class RunningStep {
  printed = ''
  readonly #child: ChildProcess
  readonly #exited: Promise<unknown>
  readonly #listeners = new Set<() => void>()

  constructor(script: string, { folder, repository }: GuidePlace) {
    const { PATH = '' } = process.env
    this.#child = spawn('sh', ['-e', '-c', script], {
      cwd: folder,
      env: { PATH: `${join(repository, 'bin')}:${PATH}`, HOME: folder, LANG: 'C.UTF-8', TERM: 'dumb' },
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

  /** Its exit code. */
  async ended(): Promise<number> {
    const timer = setTimeout(() => this.#end('SIGKILL'), patienceMs)
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
    const timer = setTimeout(fail, patienceMs)
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
    const timer = setTimeout(() => this.#end('SIGKILL'), patienceMs)
    await this.#exited
    clearTimeout(timer)
  }

  /** Ends the shell and what it started: they are one process group. */
  #end(signal: NodeJS.Signals): void {
    const { pid, exitCode } = this.#child
    if (pid === undefined || exitCode !== null) return
    try {
      process.kill(-pid, signal)
    } catch {
      // It has just ended by itself.
    }
  }
}
