import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { createRedaction, within } from '@junctor/primitives'
import type { Log, Receiver, Tell, Transport } from '@junctor/contracts'
import { type Message, printMessage } from '@junctor/jsonrpc'
import { JunctorError } from '@junctor/protocol'
import { createLineWriter, type LineWriter } from '../line-writer.ts'
import { type ChildLimits, defaultChildLimits } from '../options.ts'
import { childEnvironment } from './child-environment.ts'
import { ChildExited, type ChildExit } from './child-exited.ts'
import { type ChildReader, createChildReader } from './child-reader.ts'
import { endProcessTree } from './end-process-tree.ts'
import type { Guard, GuardedChild } from './guard/guard.ts'
import { logStderr } from './stderr-log.ts'

/** A program that speaks JSON-RPC on its standard input and output, and who looks after it. */
export interface ChildOptions {
  /** The backend's name, for logs and errors. */
  readonly backend: string
  /** Found on PATH unless it is a path. No shell is involved. */
  readonly command: string
  readonly args: readonly string[]
  /** Default: this process's own. */
  readonly cwd?: string
  /** Beside PATH, HOME, language and temporary folder, which are this process's own. Taken out of what is logged. */
  readonly environment?: Readonly<Record<string, string>>
  readonly guard: Pick<Guard, 'child'>
  readonly log: Log
  /** Told of what the child writes that is no message. */
  readonly tell: Tell
  /** What differs from `defaultChildLimits`. */
  readonly limits?: Partial<ChildLimits>
}

/**
 * A child process as a transport. It begins to start at once; what is sent before it runs is kept for it.
 *
 * `closed` resolves with a `ChildExited` when the process ends, or closes its input or output, and with a
 * BACKEND_UNREACHABLE when it could not be started. By then all that it had written is received. `close` resolves when
 * the whole process tree is gone.
 */
export interface ChildTransport extends Transport {
  /** Undefined when the process could not be started. */
  readonly pid: number | undefined
  /** Lines of its stdout that were no messages. */
  readonly discarded: number
}

/** Starts a program, in a process group of its own. Never throws: what goes wrong shows in `closed`. */
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

/** The system says why at once, or Node does in an event. */
function notStarted({ backend, command }: ChildOptions, child: ChildProcessWithoutNullStreams | Error): ChildTransport {
  const explain = (cause: Error): Error =>
    new JunctorError('BACKEND_UNREACHABLE', `Backend "${backend}" could not be started with "${command}"`, { cause })
  const { promise: closed, resolve } = Promise.withResolvers<Error | undefined>()
  if (child instanceof Error) resolve(explain(child))
  else child.once('error', (error) => resolve(explain(error)))
  return { pid: undefined, discarded: 0, closed, send: () => undefined, close: () => Promise.resolve() }
}

/** Between the first sign that a child ends and the last: for its exit to be noticed and its output to be read. */
const settleMs = 500

/** Shorter values of its environment are words like `true` and `verbose`, and would make holes in ordinary text. */
const shortestSecret = 8

/** What one read brings at most, in bytes. */
const wholeRead = 64 * 1024

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
  /** Nothing is sent or received any more. */
  #over = false
  #exit: ChildExit | undefined
  /** Why it was given up, if it was. */
  #cause: Error | undefined
  /** How many of its two outputs may still have something to be read. */
  #unread = 2
  readonly #readToEnd = Promise.withResolvers<void>()
  #settling: NodeJS.Timeout | undefined
  #ending: Promise<void> | undefined

  constructor(
    child: ChildProcessWithoutNullStreams,
    pid: number,
    guarded: GuardedChild,
    { backend, log, tell, limits, environment = {} }: ChildOptions,
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
      tell,
      limits: this.#limits,
      receiver,
      redact,
      answer: (message) => void this.send(message),
    })
    this.#lastWords = logStderr(child.stderr, { backend, log, redact, maxLength: this.#limits.stderrLine })
    this.#follow(child)
  }

  get discarded(): number {
    return this.#reader.discarded
  }

  send(message: Message): Promise<void> | undefined {
    return this.#over ? undefined : this.#writer.write(printMessage(message, { nullId: true }))
  }

  close(reason?: Error): Promise<void> {
    this.#finish(reason)
    return this.#end()
  }

  #follow(child: ChildProcessWithoutNullStreams): void {
    const readOn = (): void => void child.stdout.resume()
    child.on('error', () => {})
    child.stdout.on('data', (chunk: Buffer) => {
      // It is read to the end even so: a child that cannot write cannot end.
      if (!this.#over) this.#take(chunk)
      // There is more where this came from, and libuv would read on for long: others have their turn first.
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
    // A child may do without it, but what it wrote there last often says why it ends.
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

  /** A chunk, or that there are no more. Where it cannot be handled, half of what it says may be lost: the child is of no use. */
  #take(chunk: Buffer | undefined): void {
    try {
      if (chunk === undefined) this.#reader.end()
      else this.#reader.push(chunk)
    } catch (error) {
      this.#falter(error instanceof Error ? error : new Error(String(error)))
    }
  }

  #ended(): void {
    this.#unread -= 1
    if (this.#unread === 0) this.#readToEnd.resolve()
  }

  /** Some way of speaking to the child is gone: whatever it does, it is of no use any more. */
  #falter(cause?: Error): void {
    void this.#end()
    if (this.#over) return
    this.#cause ??= cause
    if (this.#exit !== undefined && this.#unread === 0) this.#gone()
    else this.#settling ??= setTimeout(() => this.#gone(), settleMs)
  }

  #gone(): void {
    const options = this.#cause === undefined ? undefined : { cause: this.#cause }
    this.#finish(new ChildExited(this.#backend, this.#exit, this.#lastWords(), options))
  }

  #finish(error: Error | undefined): void {
    clearTimeout(this.#settling)
    this.#over = true
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
    // What was written is read, but what has left the group may hold on to the pipes for as long as it likes.
    await within(this.#readToEnd.promise, settleMs)
    for (const stream of [stdout, stderr, stdin]) stream.destroy()
  }
}
