import type { Writable } from 'node:stream'
import { JunctorError } from '@junctor/protocol'

export interface LineWriterOptions {
  readonly output: Writable
  /**
   * Characters that may wait for the reader. One line of any length always fits; a line that comes when this much is
   * waiting already is a reason to give the reader up.
   */
  readonly maxBuffered: number
  /** The reader is gone, or was given up; nothing more is written. Called at most once, and not after `end`. */
  onLost(error: JunctorError): void
}

/** Lines out, in order, those of one turn of the event loop in one write. */
export interface LineWriter {
  /**
   * Set while the reader is slow; resolves when it has caught up, or is gone. The same promise for all who wait.
   */
  readonly slow: Promise<void> | undefined
  /** Writes one line, given without its newline. A promise is `slow`: wait for it before the next. */
  write(line: string): Promise<void> | undefined
  /** Resolves when all that was written has been handed to the system, or the reader is gone. */
  flushed(): Promise<void>
  /** Writes what is left and ends the output. */
  end(): void
}

/** Makes a writer of an output that nobody else writes to. The output's errors end here: none is ever thrown. */
export function createLineWriter(options: LineWriterOptions): LineWriter {
  return new TurnWriter(options)
}

/** What has gathered this much in one turn is written at once. */
const writtenAtOnce = 64 * 1024

class TurnWriter implements LineWriter {
  readonly #options: LineWriterOptions
  readonly #output: Writable
  /** Lines of this turn. */
  #gathered = ''
  #scheduled = false
  /** Writes that the system has not taken yet. */
  #writes = 0
  #over = false
  #drained: PromiseWithResolvers<void> | undefined
  #idle: PromiseWithResolvers<void> | undefined

  constructor(options: LineWriterOptions) {
    this.#options = options
    this.#output = options.output
    // These stay for good: an output may fail long after its last write.
    this.#output.on('error', (cause) => this.#lose('The reader is gone', cause))
    this.#output.on('close', () => this.#lose('The reader is gone'))
    this.#output.on('drain', () => this.#settleDrained())
  }

  get slow(): Promise<void> | undefined {
    if (this.#over || !this.#output.writableNeedDrain) return undefined
    this.#drained ??= Promise.withResolvers<void>()
    return this.#drained.promise
  }

  write(line: string): Promise<void> | undefined {
    if (this.#over) return undefined
    if (this.#gathered.length + this.#output.writableLength >= this.#options.maxBuffered) {
      this.#over = true
      this.#settle()
      this.#options.onLost(
        new JunctorError(
          'LIMIT_REACHED',
          `Expected the reader to leave less than ${this.#options.maxBuffered} characters`,
        ),
      )
      return undefined
    }
    this.#gathered += `${line}\n`
    if (this.#gathered.length >= writtenAtOnce) this.#flush()
    else if (!this.#scheduled) {
      this.#scheduled = true
      // Not in the next tick: that comes after each socket that is read, and this after all that were ready.
      setImmediate(this.#turnOver)
    }
    return this.slow
  }

  flushed(): Promise<void> {
    this.#flush()
    if (this.#over || this.#writes === 0) return Promise.resolve()
    this.#idle ??= Promise.withResolvers<void>()
    return this.#idle.promise
  }

  end(): void {
    if (this.#over) return
    this.#flush()
    this.#over = true
    this.#settleDrained()
    this.#output.end()
  }

  readonly #turnOver = (): void => {
    this.#scheduled = false
    this.#flush()
  }

  #flush(): void {
    if (this.#over || this.#gathered === '') return
    const text = this.#gathered
    this.#gathered = ''
    this.#writes += 1
    this.#output.write(text, this.#written)
  }

  readonly #written = (): void => {
    this.#writes -= 1
    if (this.#writes === 0) this.#settleIdle()
  }

  #lose(what: string, cause?: Error): void {
    this.#settle()
    if (this.#over) return
    this.#over = true
    this.#options.onLost(new JunctorError('CLOSED', what, cause === undefined ? undefined : { cause }))
  }

  #settle(): void {
    this.#settleDrained()
    this.#settleIdle()
  }

  #settleDrained(): void {
    this.#drained?.resolve()
    this.#drained = undefined
  }

  #settleIdle(): void {
    this.#idle?.resolve()
    this.#idle = undefined
  }
}
