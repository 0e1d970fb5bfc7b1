import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import type { Log } from '@junctor/contracts'
import { guardProgram } from './guard-program.ts'

/** One child, as its guard knows it. */
export interface GuardedChild {
  /** To be part of the child's environment: it marks all that the child starts, wherever that goes. */
  readonly environment: Readonly<Record<string, string>>
  /** The child runs, as leader of a process group of its own. */
  started(group: number): void
  /** The group is empty. What has left it is ended too. */
  ended(): void
}

/**
 * Sees to it that no child outlives this process, even if that is ended by `kill -9`: a small process of its own does
 * what this one then cannot do any more. One for each node; made by whoever composes the node.
 */
export interface Guard {
  /** To be called before the child is started. */
  child(): GuardedChild
  /** Ends the guard process, and with it what still runs of the children. Idempotent. */
  close(): Promise<void>
}

const variable = 'JUNCTOR_CHILD'

/** A guard process that ended is started again after this, while there are children; it may end at once again. */
const restartMs = 1_000

/** Makes a guard. Its process starts with the first child and does not keep this process alive. */
export function createGuard(log: Log): Guard {
  return new ProcessGuard(log)
}

class ProcessGuard implements Guard {
  readonly #log: Log
  readonly #token: string = randomBytes(16).toString('hex')
  /** Groups of children that run, by number. */
  readonly #groups = new Map<number, number>()
  #lastNumber = 0
  #process: ChildProcess | undefined
  #closed = false

  constructor(log: Log) {
    this.#log = log
  }

  child(): GuardedChild {
    if (!this.#closed) this.#process ??= this.#start()
    this.#lastNumber += 1
    const number = this.#lastNumber
    return {
      environment: { [variable]: `${this.#token}.${number}` },
      started: (group) => {
        this.#groups.set(number, group)
        this.#tell(`+${number} ${group}\n`)
      },
      ended: () => {
        this.#groups.delete(number)
        this.#tell(`-${number}\n`)
      },
    }
  }

  async close(): Promise<void> {
    this.#closed = true
    const guard = this.#process
    if (guard === undefined) return
    guard.ref()
    const { promise, resolve } = Promise.withResolvers<void>()
    guard.once('exit', () => resolve())
    guard.once('error', () => resolve())
    guard.stdin?.end()
    await promise
  }

  #tell(line: string): void {
    this.#process?.stdin?.write(line)
  }

  #start(): ChildProcess {
    const program = guardProgram(`${variable}=${this.#token}`)
    const guard = spawn(process.execPath, ['--eval', program], {
      // A session of its own, so that a ^C on a terminal does not reach it; no environment, so that no mark does.
      detached: true,
      env: {},
      stdio: ['pipe', 'ignore', 'ignore'],
      windowsHide: true,
    })
    guard.unref()
    // The pipe is a socket, which has `unref`; its type does not say so.
    ;(guard.stdin as { unref?: () => void } | null)?.unref?.()
    guard.stdin?.on('error', () => {})
    const gone = (): void => this.#gone(guard)
    guard.once('exit', gone)
    guard.once('error', gone)
    for (const [number, group] of this.#groups) guard.stdin?.write(`+${number} ${group}\n`)
    return guard
  }

  #gone(guard: ChildProcess): void {
    if (this.#process !== guard) return
    this.#process = undefined
    if (this.#closed) return
    this.#log.warn('The guard process ended; until there is a new one, children would outlive a kill of this process')
    setTimeout(() => {
      if (this.#groups.size > 0 && !this.#closed) this.#process ??= this.#start()
    }, restartMs).unref()
  }
}
