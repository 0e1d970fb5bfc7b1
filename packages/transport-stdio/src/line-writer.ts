import type { Writable } from 'node:stream'
import { plainLine } from '@junctor/jsonrpc'
import { SharedWait } from '@junctor/primitives'
import { JunctorError } from '@junctor/protocol'

/** The output, and how much of it may wait for its reader. */
export interface LineWriterOptions {
  readonly output: Writable
  /**
   * How many characters may wait for the reader. One line of any length is always accepted; a line beyond the limit
   * means that the reader is given up.
   */
  readonly maxBuffered: number
  /** Called when the reader is gone, or was given up; nothing more is written. At most once, and not after `end`. */
  onLost(error: JunctorError): void
}

/** Writes lines of JSON in order; the lines of one turn of the event loop are one write. */
export interface LineWriter {
  /**
   * Set while the reader is slow; resolves when it has caught up, or is gone. All callers get the same promise.
   */
  readonly slow: Promise<void> | undefined
  /**
   * Writes one line, given without its newline. When it returns a promise (`slow`), wait for it before the next line.
   */
  write(line: string): Promise<void> | undefined
  /** Resolves when all lines have been handed to the system, or the reader is gone. */
  flushed(): Promise<void>
  /** Writes buffered lines and ends the output. */
  end(): void
}

/** Creates a writer for an output that no other code writes to. It handles the output's errors and never throws. */
export function createLineWriter(options: LineWriterOptions): LineWriter {
  return new TurnWriter(options)
}

/** How many characters may be collected in one turn before they are written immediately. */
const writtenAtOnce = 64 * 1024

class TurnWriter implements LineWriter {
  readonly #options: LineWriterOptions
  readonly #output: Writable
  /** The lines of this turn. */
  #gathered = ''
  #scheduled = false
  /** The number of writes that the system has not accepted yet. */
  #writes = 0
  #over = false
  readonly #drained = new SharedWait()
  readonly #idle = new SharedWait()

  constructor(options: LineWriterOptions) {
    this.#options = options
    this.#output = options.output
    // These listeners stay permanently: an output may fail long after its last write.
    this.#output.on('error', (cause) => this.#lose(cause))
    this.#output.on('close', () => this.#lose(undefined))
    this.#output.on('drain', () => this.#drained.end())
  }

  get slow(): Promise<void> | undefined {
    if (this.#over || !this.#output.writableNeedDrain) return undefined
    return this.#drained.wait()
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
    this.#gathered += `${plainLine(line)}\n`
    if (this.#gathered.length >= writtenAtOnce) this.#flush()
    else if (!this.#scheduled) {
      this.#scheduled = true
      // Not in the next tick, which runs after each socket that is read: `setImmediate` runs after all ready sockets.
      setImmediate(this.#turnOver)
    }
    return this.#output.writableNeedDrain ? this.slow : undefined
  }

  flushed(): Promise<void> {
    this.#flush()
    if (this.#over || this.#writes === 0) return Promise.resolve()
    return this.#idle.wait()
  }

  end(): void {
    if (this.#over) return
    this.#flush()
    this.#over = true
    this.#drained.end()
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
    if (this.#writes === 0) this.#idle.end()
  }

  #lose(cause: Error | undefined): void {
    this.#settle()
    if (this.#over) return
    this.#over = true
    this.#options.onLost(new JunctorError('CLOSED', 'The reader is gone', cause && { cause }))
  }

  #settle(): void {
    this.#drained.end()
    this.#idle.end()
  }
}
