import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRedaction, errorOf, settlesWithin } from '@junctor/primitives'
import type { Emit, GuardedChild, Log, ProcessGuard, Receiver, Transport } from '@junctor/contracts'
import { type Message, printMessage, type PrintOptions } from '@junctor/jsonrpc'
import { JunctorError } from '@junctor/protocol'
import { createLineWriter, type LineWriter } from '../line-writer.ts'
import { type ChildLimits, defaultChildLimits } from '../options.ts'
import { childEnvironment } from './child-environment.ts'
import { ChildExited, type ChildExit } from './child-exited.ts'
import { type ChildReader, createChildReader } from './child-reader.ts'
import { endProcessTree } from './end-process-tree.ts'
import { logOutput } from './output-log.ts'
import { untilQuiet } from './until-quiet.ts'

/** A program that speaks JSON-RPC on its standard input and output, and the services that its transport needs. */
export interface ChildOptions {
  /** The backend's name, for logs and errors. */
  readonly backend: string
  /** Found on PATH unless it is a path. No shell is involved. */
  readonly command: string
  readonly args: readonly string[]
  /** Default: the working folder of this process. */
  readonly cwd?: string
  /** Added to PATH, HOME, language and temporary folder of this process. Its values are redacted in the log. */
  readonly environment?: Readonly<Record<string, string>>
  readonly guard: ProcessGuard
  readonly log: Log
  /** Called for output of the child that is not a message. */
  readonly emit: Emit
  /** The limits that differ from `defaultChildLimits`. */
  readonly limits?: Partial<ChildLimits>
}

/**
 * A child process as a transport. It starts immediately; messages that are sent before it runs are buffered for it.
 *
 * `closed` resolves with a `ChildExited` when the process exits, or closes its input or output, and with a
 * BACKEND_UNREACHABLE when it could not be started. By then all its output has been received. `close` resolves when the
 * whole process tree is gone.
 */
export interface ChildTransport extends Transport {
  /** Undefined when the process could not be started. */
  readonly pid: number | undefined
}

/** Starts a program in its own process group. Never throws: `closed` reports errors. */
export function createChildTransport(options: ChildOptions, receiver: Receiver): ChildTransport {
  const guarded = options.guard.child()
  const child = start(options, guarded)
  if (!(child instanceof Error) && child.pid !== undefined)
    return new RunningChild(child, child.pid, guarded, options, receiver)
  guarded.ended()
  return notStarted(options, child)
}

function start(
  { command, args, cwd, environment = {} }: ChildOptions,
  guarded: GuardedChild,
): ChildProcessWithoutNullStreams | Error {
  const env = { ...childEnvironment(process.env, environment), ...guarded.environment }
  try {
    return spawn(command, args, { cwd, env, detached: true, shell: false, stdio: 'pipe', windowsHide: true })
  } catch (error) {
    return error as Error
  }
}

/** A transport for a program that could not be started: the system reports that immediately, or Node in an event. */
function notStarted(options: ChildOptions, child: ChildProcessWithoutNullStreams | Error): ChildTransport {
  const { backend, command, cwd } = options
  const explain = (cause: Error): Error => {
    // The system reports a missing folder as if it were the program.
    const where = cwd === undefined || existsSync(cwd) ? '' : ` in the folder "${cwd}", which is not there`
    const problem = `Backend "${backend}" could not be started with "${command}"${where}`
    return new JunctorError('BACKEND_UNREACHABLE', problem, { cause })
  }
  const { promise: closed, resolve } = Promise.withResolvers<Error | undefined>()
  if (child instanceof Error) resolve(explain(child))
  else child.once('error', (error) => resolve(explain(error)))
  return { pid: undefined, closed, send: () => undefined, close: () => Promise.resolve() }
}

/**
 * How long to wait, after the first sign of its end, for a child's exit and the rest of its output. In milliseconds.
 */
const settleMs = 500

/** Shorter values of its environment are words like `true` and `verbose`; redacting them would damage ordinary text. */
const shortestSecret = 8

/** The most bytes of one read. */
const wholeRead = 64 * 1024

/** How many lines in a row may be no messages before the child is read more slowly. A banner or a burst of logs has fewer. */
const freeDiscarded = 1_000

/** How many lines in a row may be no messages before the child is given up. */
const mostDiscarded = 1_000_000

/** The pause after a piece of such output, as a multiple of the time that it took: other work has nine tenths. */
const pauseFactor = 9

/** The longest such pause, in milliseconds. */
const longestPauseMs = 5_000

/** An error for a request whose id could not be read has `"id":null`. */
const printing: PrintOptions = { nullId: true }

class RunningChild implements ChildTransport {
  readonly pid: number
  readonly closed: Promise<Error | undefined>
  readonly #child: ChildProcessWithoutNullStreams
  readonly #guarded: GuardedChild
  readonly #backend: string
  readonly #limits: ChildLimits
  readonly #writer: LineWriter
  readonly #reader: ChildReader
  readonly #lastWords: () => readonly string[]
  readonly #exited = Promise.withResolvers<void>()
  readonly #closed = Promise.withResolvers<Error | undefined>()
  /** Whether sending and receiving have ended. */
  #over = false
  #exit: ChildExit | undefined
  /** Why the child was given up, if it was. */
  #cause: Error | undefined
  /** How many of its two outputs are not read to the end yet. */
  #unread = 2
  readonly #readToEnd = Promise.withResolvers<void>()
  /** How many pieces of its output were read. */
  #pieces = 0
  #settling: Promise<void> | undefined
  /** Runs while its output is not read, because it holds no messages. */
  #pause: NodeJS.Timeout | undefined
  #ending: Promise<void> | undefined

  constructor(
    child: ChildProcessWithoutNullStreams,
    pid: number,
    guarded: GuardedChild,
    { backend, log, emit, limits, environment = {} }: ChildOptions,
    receiver: Receiver,
  ) {
    guarded.started(pid)
    this.pid = pid
    this.closed = this.#closed.promise
    this.#child = child
    this.#guarded = guarded
    this.#backend = backend
    this.#limits = { ...defaultChildLimits, ...limits }
    const redact = createRedaction(Object.values(environment).filter((value) => value.length >= shortestSecret))
    this.#writer = createLineWriter({
      output: child.stdin,
      maxBuffered: this.#limits.buffered,
      onLost: (error) => this.#falter(error),
    })
    this.#reader = createChildReader({
      backend,
      log,
      emit,
      limits: this.#limits,
      receiver,
      redact,
      answer: (message) => void this.send(message),
    })
    this.#lastWords = logOutput(child.stderr, {
      backend,
      stream: 'stderr',
      log,
      redact,
      maxLength: this.#limits.stderrLine,
    })
    this.#follow(child)
  }

  send(message: Message): Promise<void> | undefined {
    return this.#over ? undefined : this.#writer.write(printMessage(message, printing))
  }

  close(reason?: Error): Promise<void> {
    this.#finish(reason)
    return this.#end()
  }

  #follow(child: ChildProcessWithoutNullStreams): void {
    const readOn = (): void => void (this.#pause ?? child.stdout.resume())
    child.on('error', () => {})
    child.stdout.on('data', (chunk: Buffer) => {
      const began = performance.now()
      this.#pieces += 1
      // Its output is read to the end anyway: a child that cannot write cannot exit.
      if (!this.#over) this.#take(chunk)
      if (!this.#over) this.#slowDown(performance.now() - began)
      // There is more to read, and libuv would continue for long: other work gets its turn first.
      if (chunk.length >= wholeRead) {
        child.stdout.pause()
        setImmediate(readOn)
      }
    })
    child.stdout.on('error', () => {})
    child.stdout.once('close', () => {
      if (!this.#over) this.#take(undefined)
      this.#ended()
      this.#falter()
    })
    // A child may close stderr and continue, but its last lines there often contain the reason for its exit.
    child.stderr.once('close', () => {
      this.#ended()
      if (this.#settling !== undefined) this.#falter()
    })
    child.once('exit', (code, signal) => {
      this.#exit = { code, signal }
      this.#exited.resolve()
      this.#falter()
    })
  }

  /** Handles a chunk, or the end. After an exception messages may be lost, so the child is given up. */
  #take(chunk: Buffer | undefined): void {
    try {
      if (chunk === undefined) this.#reader.end()
      else this.#reader.push(chunk)
    } catch (error) {
      this.#falter(errorOf(error))
    }
  }

  /**
   * Reads a child less that only writes what is no message, so that it blocks on its output and not the other backends.
   * One that goes on is given up.
   *
   * @param tookMs the time that its last output took
   */
  #slowDown(tookMs: number): void {
    const inARow = this.#reader.discardedInARow
    if (inARow > mostDiscarded) {
      const got = `Expected messages on the stdout of backend "${this.#backend}", got more than ${mostDiscarded} other lines in a row`
      void this.close(new JunctorError('PROTOCOL_VIOLATED', got))
    } else if (inARow > freeDiscarded) {
      this.#child.stdout.pause()
      this.#pause = setTimeout(() => this.#readOn(), Math.min(pauseFactor * tookMs, longestPauseMs))
    }
  }

  #readOn(): void {
    clearTimeout(this.#pause)
    this.#pause = undefined
    this.#child.stdout.resume()
  }

  #ended(): void {
    this.#unread -= 1
    if (this.#unread === 0) this.#readToEnd.resolve()
  }

  /** Gives the child up, because its input or output is gone. */
  #falter(cause?: Error): void {
    void this.#end()
    if (this.#over) return
    this.#readOn()
    this.#cause ??= cause
    if (this.#exit !== undefined && this.#unread === 0) this.#gone()
    else this.#settling ??= this.#settle()
  }

  /** Waits for its exit and the rest of its output. */
  async #settle(): Promise<void> {
    const done = Promise.all([this.#exited.promise, this.#readToEnd.promise])
    await untilQuiet(done, () => this.#pieces, settleMs)
    if (!this.#over) this.#gone()
  }

  #gone(): void {
    const options = this.#cause === undefined ? undefined : { cause: this.#cause }
    this.#finish(new ChildExited(this.#backend, this.#exit, this.#lastWords(), options))
  }

  #finish(error: Error | undefined): void {
    this.#over = true
    this.#readOn()
    this.#closed.resolve(error)
  }

  #end(): Promise<void> {
    this.#ending ??= this.#endTree()
    return this.#ending
  }

  async #endTree(): Promise<void> {
    const { stdout, stderr, stdin } = this.#child
    this.#writer.end()
    await endProcessTree({ pid: this.pid, exited: this.#exited.promise }, this.#limits.graceMs)
    this.#guarded.ended()
    // The output is read, but a process that has left the group may keep the pipes open forever.
    await (this.#settling ?? settlesWithin(this.#readToEnd.promise, settleMs))
    for (const stream of [stdout, stderr, stdin]) stream.destroy()
  }
}
