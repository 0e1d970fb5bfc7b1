import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JsonObject } from '@junctor/jsonrpc'
import { compiledOnce, freePort, junctorProgram, workerProgram } from '@junctor/testkit'
import { StandardError } from '../../client/standard-error.ts'

/** What Node runs for each role. */
const words = { gateway: [junctorProgram, 'serve'], worker: [workerProgram] } as const

/** A gateway or a worker as users start it, which can be killed and restarted. */
export interface StormNode {
  readonly name: string
  readonly role: 'gateway' | 'worker'
  /** The URL for clients; the same after every start. */
  readonly url: string
  /** The URL of the admin port, without a trailing slash. */
  readonly admin: string
  /** Starts it, and resolves when it reports that it is ready. */
  start(): Promise<void>
  /** Writes another configuration, which a running node reads. */
  configure(config: JsonObject): void
  /** Kills it with SIGKILL. */
  kill(): Promise<void>
  /** Stops it with SIGSTOP, as if its machine stood still, until `resume`. */
  pause(): void
  resume(): void
  /** Sends SIGTERM; resolves with its exit code, `null` when it did not end in time and was killed. */
  stop(): Promise<number | null>
  /** For each exit without a request: its code or signal, and its last output. */
  readonly crashes: readonly string[]
}

interface StormNodeOptions {
  readonly name: string
  readonly role: 'gateway' | 'worker'
  /** The folder for its configuration and its log. */
  readonly folder: string
  /** The configuration without the HTTP address. */
  readonly config: JsonObject
}

const stopMs = 15_000
/** How many characters of a node's last output are shown. */
const lastWords = 4_000
const startMs = 60_000

/** Chooses the ports and writes the configuration; `start` starts the process. The caller kills or stops it. */
export async function prepareNode({ name, role, folder, config }: StormNodeOptions): Promise<StormNode> {
  const [port, adminPort] = [await freePort(), await freePort()]
  const file = join(folder, `${name}.json`)
  const configure = (next: JsonObject): void => {
    const listen = { ...(next['listen'] as JsonObject), http: { port }, admin: { port: adminPort } }
    writeFileSync(file, JSON.stringify({ ...next, listen }))
  }
  configure(config)
  const crashes: string[] = []
  let run: NodeRun | undefined

  return {
    name,
    role,
    url: `http://127.0.0.1:${port}/mcp`,
    admin: `http://127.0.0.1:${adminPort}`,
    configure,
    async start() {
      const child = spawn(process.execPath, [...words[role], '--config', file, '--json', '--log-level', 'warn'], {
        cwd: folder,
        stdio: ['ignore', 'ignore', 'pipe'],
        env: { PATH: process.env['PATH'] ?? '', ...compiledOnce },
      })
      child.stderr.pipe(createWriteStream(join(folder, `${name}.log`), { flags: 'a' }))
      run = new NodeRun(name, child, (crash) => crashes.push(crash))
      await run.ready()
    },
    kill: async () => run?.kill(),
    pause: () => run?.signal('SIGSTOP'),
    resume: () => run?.signal('SIGCONT'),
    crashes,
    stop: async () => run?.stop() ?? 0,
  }
}

/** One process of a node, from its start to its end. */
class NodeRun {
  readonly #name: string
  readonly #child: ChildProcess
  readonly #exited: Promise<unknown>
  readonly #stderr: StandardError
  #isAsked = false

  /** @param crashed called with the exit and the last output, when the process ended without a request */
  constructor(name: string, child: ChildProcess, crashed: (crash: string) => void) {
    this.#name = name
    this.#child = child
    this.#exited = once(child, 'exit')
    this.#stderr = new StandardError(child)
    child.once('exit', (code, signal) => {
      if (this.#isAsked) return
      // After `close` all output has been read.
      child.once('close', () =>
        crashed(`${name} ended with ${code ?? signal} by itself: ${this.#stderr.text.slice(-lastWords)}`),
      )
    })
  }

  /** Resolves when the process reports that it is ready; else kills it, and rejects. */
  async ready(): Promise<void> {
    try {
      await this.#stderr.find(/(\{"ready":true)/, this.#name, startMs)
    } catch (error) {
      await this.kill()
      throw error
    }
    this.#stderr.keep(lastWords)
  }

  signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    this.#child.kill(signal)
  }

  async kill(): Promise<void> {
    this.#isAsked = true
    this.#child.kill('SIGKILL')
    await this.#exited
  }

  async stop(): Promise<number | null> {
    const child = this.#child
    if (child.exitCode !== null || child.signalCode !== null) return child.exitCode ?? 0
    this.#isAsked = true
    child.kill('SIGTERM')
    const tooLate = setTimeout(() => child.kill('SIGKILL'), stopMs)
    await this.#exited
    clearTimeout(tooLate)
    return child.exitCode
  }
}
