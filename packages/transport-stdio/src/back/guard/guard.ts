import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import type { GuardedChild, Log, ProcessGuard } from '@junctor/contracts'
import { guardProgram } from './guard-program.ts'

/**
 * Ensures that no child outlives this process, even after `kill -9`: a small separate process then ends the children.
 * One for each node; made by the code that composes the node.
 */
export interface Guard extends ProcessGuard {
  /** Ends the guard process, and the remaining children with it. Idempotent. */
  close(): Promise<void>
}

const variable = 'JUNCTOR_CHILD'

/** How long after its end a guard process is started again, while there are children: it may end immediately again. */
const restartMs = 1_000

/** Makes a guard. Its process starts with the first child and does not keep this process alive. */
export function createGuard(log: Log): Guard {
  return new ChildGuard(log)
}

class ChildGuard implements Guard {
  readonly #log: Log
  readonly #token: string = randomBytes(16).toString('hex')
  /** Groups of running children, by number. */
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
        this.#send(`+${number} ${group}\n`)
      },
      ended: () => {
        this.#groups.delete(number)
        this.#send(`-${number}\n`)
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

  #send(line: string): void {
    this.#process?.stdin?.write(line)
  }

  #start(): ChildProcess {
    const program = guardProgram(`${variable}=${this.#token}`)
    const guard = spawn(process.execPath, ['--eval', program], {
      // Its own session, so that a ^C on a terminal does not reach it; no environment, so that it carries no mark.
      detached: true,
      env: {},
      stdio: ['pipe', 'ignore', 'ignore'],
      windowsHide: true,
    })
    guard.unref()
    // The pipe is a socket, which has `unref`; its type does not declare it.
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
    this.#log.warn('the guard process ended; until there is a new one, children would outlive a kill of this process')
    setTimeout(() => {
      if (this.#groups.size > 0 && !this.#closed) this.#process ??= this.#start()
    }, restartMs).unref()
  }
}
