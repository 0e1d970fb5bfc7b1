import { setTimeout as pause } from 'node:timers/promises'
import type { Log } from '@junctor/contracts'
import { errorOf } from '@junctor/primitives'
import { AppendFile } from './append-file.ts'
import { LineBatch } from './line-batch.ts'

/** The size of a file, and where trouble with it is reported. Sizes in bytes. */
export interface RetriedFileOptions {
  /** The size at which the file is full, and rotated. */
  readonly mostBytes: number
  /** Called once when the file cannot be written, and once when it can be written again. */
  readonly log: Pick<Log, 'warn' | 'info'>
  /** Returns the number of lost lines so far, for the log. */
  readonly lost: () => number
}

/** The pause before a failed write is repeated, in milliseconds. */
const retryMs = 1000

/** A file whose writes are repeated while they fail. */
export class RetriedFile {
  readonly #path: string
  readonly #file: AppendFile
  readonly #options: RetriedFileOptions
  readonly #givingUp = new AbortController()
  #problem: string | undefined

  constructor(path: string, options: RetriedFileOptions) {
    this.#path = path
    this.#file = new AppendFile(path, options.mostBytes)
    this.#options = options
  }

  /** Why it cannot be written now; undefined: it can be written. */
  get problem(): string | undefined {
    return this.#problem
  }

  /**
   * Opens the file, and repeats that while it fails and `isWanted` returns true. A problem is thus known before the
   * first line is written.
   */
  async open(isWanted: () => boolean): Promise<void> {
    while (!this.#givingUp.signal.aborted && isWanted()) {
      try {
        await this.#file.ready()
        return this.#worked()
      } catch (error) {
        this.#broke(error)
      }
      await this.#pause()
    }
  }

  /** Writes lines, and repeats that until they are written or `giveUp` was called. Returns the number of lost lines. */
  async write(lines: readonly string[]): Promise<number> {
    const batch = new LineBatch(lines)
    while (!batch.isWritten) {
      try {
        await batch.writeTo(this.#file)
        this.#worked()
      } catch (error) {
        this.#broke(error)
        if (this.#givingUp.signal.aborted) break
        await this.#pause()
      }
    }
    // A file that cannot be renamed can still be written.
    await this.#file.rotate().catch((error: unknown) => {
      this.#options.log.warn('a full file cannot be renamed, and grows on', { file: this.#path, error })
    })
    return batch.missing
  }

  /** Stops repeating: lines that cannot be written now are lost. */
  giveUp(): void {
    this.#givingUp.abort()
  }

  /** Closes the file. Never rejects. */
  async close(): Promise<void> {
    await this.#file.close().catch((error: unknown) => this.#broke(error))
  }

  async #pause(): Promise<void> {
    await pause(retryMs, undefined, { signal: this.#givingUp.signal, ref: false }).catch(() => {})
  }

  #broke(error: unknown): void {
    const before = this.#problem
    this.#problem = errorOf(error).message
    if (before !== undefined) return
    const what = 'a file cannot be written; its lines wait within a bound, then the oldest are lost'
    this.#options.log.warn(what, { file: this.#path, error })
  }

  #worked(): void {
    if (this.#problem === undefined) return
    this.#problem = undefined
    this.#options.log.info('a file can be written again', { file: this.#path, lost: this.#options.lost() })
  }
}
