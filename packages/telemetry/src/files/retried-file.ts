import { setTimeout as pause } from 'node:timers/promises'
import type { Log } from '@junctor/contracts'
import { AppendFile } from './append-file.ts'
import { LineBatch } from './line-batch.ts'

export interface RetriedFileOptions {
  /** From this size on the file is full, and rotated away. */
  readonly mostBytes: number
  /** Hears once that the file cannot be written, and once that it can again. */
  readonly log: Pick<Log, 'warn' | 'info'>
  /** Lines that were lost so far, for the log. */
  readonly lost: () => number
}

/** What cannot be written is tried again after this, in milliseconds. */
const retryMs = 1000

/** A file that is tried again for as long as it cannot be written. */
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

  /** Why it cannot be written now; undefined: it can. */
  get problem(): string | undefined {
    return this.#problem
  }

  /** Opens it, trying again for as long as that is wanted: nobody has to write a line to learn that it cannot be written. */
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

  /** Writes lines, trying again until they are written or it was given up. Gives how many are lost. */
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
    await this.#file.rotate().catch((error: unknown) => this.#broke(error))
    return batch.missing
  }

  /** What cannot be written from now on is lost. */
  giveUp(): void {
    this.#givingUp.abort()
  }

  /** Never rejects. */
  async close(): Promise<void> {
    await this.#file.close().catch((error: unknown) => this.#broke(error))
  }

  async #pause(): Promise<void> {
    await pause(retryMs, undefined, { signal: this.#givingUp.signal, ref: false }).catch(() => {})
  }

  #broke(error: unknown): void {
    const before = this.#problem
    this.#problem = error instanceof Error ? error.message : String(error)
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
