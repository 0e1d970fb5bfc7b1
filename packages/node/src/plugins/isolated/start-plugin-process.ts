import { type ChildProcess, spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { dirname } from 'node:path'
import type { Duplex, Readable } from 'node:stream'
import type { Control, GuardedChild, Log, ProcessGuard } from '@junctor/contracts'
import { checkedPayload, createPipeFabric, type PipeFabric } from '@junctor/fabric/pipe'
import { createNodeName } from '@junctor/fabric'
import { JunctorError } from '@junctor/protocol'
import { ChildExited, defaultChildLimits, endProcessTree, logOutput } from '@junctor/transport-stdio/back'
import { errorOf } from '@junctor/primitives'
import { pluginHostFile } from '../../plugin-host-file.ts'
import { corkedWrites } from './corked-writes.ts'
import { controls } from './plugin-requests.ts'
import { ProcessWatch } from './process-watch.ts'
import { readablePaths } from './readable-paths.ts'
import { ReadShare } from './read-share.ts'

/** The module of a plugin, and what its process may use. */
export interface PluginProcessOptions {
  /** The backend, or what names the plugin when there is none yet: for logs and errors. */
  readonly backend: string
  /** The module's file, absolute. */
  readonly file: string
  /** The name that the plugin must have. Default: any. */
  readonly packageName: string | undefined
  /** The folder of the configuration file. */
  readonly folder: string
  readonly memoryBytes: number
  readonly guard: ProcessGuard
  readonly log: Log
  /** Called with each message of the process, except `pong`. It is not trusted. */
  readonly onControl: (control: Control) => void
}

/** A process in which a plugin runs. */
export interface PluginProcess {
  /** Calls to it, and services for it. */
  readonly calls: PipeFabric
  /** Resolves when the process is gone, and all calls have ended: with the reason. */
  readonly ended: Promise<Error>
  /** The reason, as soon as it is known: before any call ends because of it. */
  readonly reason: Error | undefined
  /** Asks it to close its backend and exit; ends it when it does not. Resolves when it is gone. Idempotent. */
  end(): Promise<void>
}

/** The most calls of a plugin to the node at one time, such as those for its store. */
const mostServed = 1_024

/** How much is handled before the time is looked at, in bytes: some dozens of small frames. */
const pieceBytes = 4_096

/** How long after its pipe a process may take to exit, in milliseconds. */
const settleMs = 500

/** A process that leaves this much unread has stopped reading, in bytes. */
const mostUnread = 64 * 1024 * 1024

/**
 * Starts the process of a plugin with the permission model of Node: it reads its own package, starts no processes and no
 * threads, writes no files and loads no native code. It has the network, because Node 24 cannot deny it. Its environment
 * has none of the node's variables. Never throws: `ended` reports errors.
 */
export function startPluginProcess(options: PluginProcessOptions): PluginProcess {
  const guarded = options.guard.child()
  try {
    return new RunningPlugin(spawnPlugin(options, guarded), guarded, options)
  } catch (error) {
    guarded.ended()
    return notStarted(options.backend, errorOf(error))
  }
}

function spawnPlugin(options: PluginProcessOptions, guarded: GuardedChild): ChildProcess {
  const host = pluginHostFile()
  const child = spawn(process.execPath, [...nodeFlags(options, host), host, options.file, options.packageName ?? ''], {
    cwd: dirname(options.file),
    env: { ...environment(), ...guarded.environment },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    windowsHide: true,
  })
  // Node reports later that there are too many open files; such a child has no pipes that could be followed.
  child.on('error', () => {})
  return child
}

/** A process that is gone before it began: its module is not there, or the system gives no process. */
function notStarted(backend: string, cause: Error): PluginProcess {
  const why = `The process of ${backend} did not start: ${cause.message}`
  const reason = new JunctorError('BACKEND_UNREACHABLE', why, { cause })
  const calls = createPipeFabric({ node: createNodeName(), write() {}, onControl() {}, unreadable() {} })
  calls.lose()
  return { calls, ended: Promise.resolve(reason), reason, end: () => Promise.resolve() }
}

function nodeFlags({ file, folder, memoryBytes }: PluginProcessOptions, host: string): readonly string[] {
  // Later versions of Node deny the network unless this is given. A plugin must not differ by the version.
  const network = process.allowedNodeEnvironmentFlags.has('--allow-net') ? ['--allow-net'] : []
  return [
    '--permission',
    ...readablePaths(file, folder, host).map((path) => `--allow-fs-read=${path}`),
    ...network,
    `--max-old-space-size=${Math.ceil(memoryBytes / 1024 ** 2)}`,
  ]
}

/** Language and time zone: nothing that could be a secret, and nothing that changes how Node starts. */
function environment(): Record<string, string> {
  const kept = Object.entries(process.env).filter(([name]) => /^(?:LANG|LC_[A-Z]+|TZ)$/.test(name))
  return Object.fromEntries(kept) as Record<string, string>
}

class RunningPlugin implements PluginProcess {
  readonly calls: PipeFabric
  readonly ended: Promise<Error>
  readonly #child: ChildProcess
  readonly #backend: string
  readonly #log: Log
  readonly #onControl: (control: Control) => void
  readonly #pipe: Duplex
  readonly #share = new ReadShare(performance.now())
  /** What has arrived, and is not handled yet. */
  readonly #unread: Buffer[] = []
  #isPaused = false
  readonly #exited = Promise.withResolvers<void>()
  readonly #watch: ProcessWatch | undefined
  reason: Error | undefined = undefined
  #ending: Promise<void> | undefined

  constructor(child: ChildProcess, guarded: GuardedChild, options: PluginProcessOptions) {
    const { backend, log, memoryBytes } = options
    this.#child = child
    this.#backend = backend
    this.#log = log
    this.#onControl = options.onControl
    this.#pipe = child.stdio[3] as Duplex
    const write = corkedWrites(this.#pipe)
    this.calls = createPipeFabric({
      node: createNodeName(),
      write: (bytes) => {
        write(bytes)
        if (this.#pipe.writableLength > mostUnread) this.#kill(`does not read what is sent to it`)
      },
      onControl: (control) => this.#control(control),
      unreadable: (problem) => log.warn('the process of a plugin sent something unreadable', { backend, problem }),
      payload: checkedPayload,
      mostServed,
    })
    const { pid } = child
    if (pid !== undefined) {
      guarded.started(pid)
      yieldToOthers(pid)
      const kill = (why: string): void => this.#kill(why)
      this.#watch = new ProcessWatch({ pid, memoryBytes, calls: this.calls, kill })
    }
    this.ended = this.#follow(guarded)
  }

  end(): Promise<void> {
    this.#ending ??= this.#end()
    return this.#ending
  }

  async #follow(guarded: GuardedChild): Promise<Error> {
    const child = this.#child
    const closed = Promise.withResolvers<Error>()
    const { stderrLine: maxLength } = defaultChildLimits
    const output = { backend: this.#backend, log: this.#log, redact: (text: string) => text, maxLength }
    const lastWords = logOutput(child.stderr as Readable, { ...output, stream: 'stderr' })
    logOutput(child.stdout as Readable, { ...output, stream: 'stdout' })
    this.#pipe.on('data', (chunk: Buffer) => this.#receive(chunk))
    this.#pipe.on('error', () => {})
    this.#pipe.once('close', () => {
      // Usually the first sign of an exit, whose reason comes next.
      const timer = setTimeout(() => this.#kill('closed its connection to the node'), settleMs)
      void this.#exited.promise.then(() => clearTimeout(timer))
    })
    child.once('error', (error) => {
      closed.resolve(
        new JunctorError('BACKEND_UNREACHABLE', `The process of ${this.#backend} did not start`, { cause: error }),
      )
    })
    child.once('exit', () => this.#exited.resolve())
    child.once('close', (code, signal) => closed.resolve(new ChildExited(this.#backend, { code, signal }, lastWords())))
    const error = await closed.promise
    this.#exited.resolve()
    this.#watch?.close()
    guarded.ended()
    this.reason ??= error
    this.calls.lose()
    return this.reason
  }

  #receive(chunk: Buffer): void {
    this.#unread.push(chunk)
    if (!this.#isPaused) this.#readOn()
  }

  /** Handles what has arrived piece by piece, and the rest later when the process has had its share of the node's time. */
  #readOn(): void {
    for (let chunk = this.#unread.shift(); chunk !== undefined; chunk = this.#unread.shift()) {
      if (chunk.length > pieceBytes) this.#unread.unshift(chunk.subarray(pieceBytes))
      const began = performance.now()
      this.#handle(chunk.subarray(0, pieceBytes))
      const now = performance.now()
      const pauseMs = this.#share.spend(now - began, now)
      if (pauseMs > 0) {
        this.#pause(pauseMs)
        return
      }
    }
  }

  #pause(ms: number): void {
    this.#isPaused = true
    this.#pipe.pause()
    setTimeout(() => {
      this.#isPaused = false
      this.#readOn()
      if (!this.#isPaused) this.#pipe.resume()
    }, ms)
  }

  #handle(piece: Buffer): void {
    try {
      this.calls.receive(piece)
    } catch (error) {
      this.#kill(`sent what cannot be understood (${errorOf(error).message})`)
    }
  }

  #control(control: Control): void {
    if (control.kind === controls.pong) this.#watch?.answered(control.body)
    else this.#onControl(control)
  }

  /** No signal that the plugin could handle: its process may be in a loop. */
  #kill(why: string): void {
    if (this.#ending === undefined && this.#child.exitCode === null && this.#child.signalCode === null) {
      this.reason ??= new JunctorError('BACKEND_EXITED', `Backend "${this.#backend}" was ended: its process ${why}`)
    }
    this.#child.kill('SIGKILL')
  }

  async #end(): Promise<void> {
    const { pid } = this.#child
    this.calls.control({ kind: controls.end, body: null })
    // A pipe that is paused would keep the answer to what is in flight, and the process, waiting.
    this.#pipe.resume()
    if (pid !== undefined) await endProcessTree({ pid, exited: this.#exited.promise }, defaultChildLimits.graceMs)
    await this.ended
  }
}

/**
 * Gives the process less processor time than others when there is too little, and makes it the first that Linux ends when
 * the machine itself has no memory left.
 */
function yieldToOthers(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL)
    writeFileSync(`/proc/${pid}/oom_score_adj`, '1000')
  } catch {
    // Not Linux, or not allowed: the bounds of the process hold anyway.
  }
}
