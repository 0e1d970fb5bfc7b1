import type { Log, Receiver } from '@junctor/exchange'
import { createLineDecoder, type LineDecoder, type Message, parseFrame, type Unreadable } from '@junctor/jsonrpc'
import { mcpProfile, wireError } from '@junctor/protocol'
import type { LineLimits } from '../options.ts'
import { createLogBudget } from './log-budget.ts'

export interface ChildReaderOptions {
  readonly backend: string
  readonly log: Log
  readonly limits: LineLimits
  readonly receiver: Receiver
  /** Answers a request of the child that could not be read. */
  readonly answer: (message: Message) => void
  readonly redact: (text: string) => string
}

/** Bytes of a child's stdout in, messages out. */
export interface ChildReader extends LineDecoder {
  /** Lines that held no message, whatever the reason. */
  readonly discarded: number
}

/** Characters of a discarded line that are logged. */
const shownCharacters = 200

const view = { revision: undefined, dialect: '2.0', profile: mcpProfile } as const

/**
 * Reads what a child writes. Programs print all kinds of things to stdout, so a line that is no message is skipped,
 * counted and logged, and the next one is as good as if it had not been there. A batch, which a backend of 2025-03-26
 * may send, is taken apart.
 */
export function createChildReader(options: ChildReaderOptions): ChildReader {
  return new DiscardingReader(options)
}

class DiscardingReader implements ChildReader {
  discarded = 0
  readonly #options: ChildReaderOptions
  readonly #lines: LineDecoder
  readonly #budget = createLogBudget(() => performance.now())

  constructor(options: ChildReaderOptions) {
    const { limits } = options
    this.#options = options
    this.#lines = createLineDecoder({
      maxBytes: limits.line,
      onLine: (line) => this.#take(line),
      onOverlong: () => this.#discard(`Expected a line of at most ${limits.line} bytes, got a longer one`),
      onInvalid: () => this.#discard('Expected UTF-8, got other bytes'),
    })
  }

  push(chunk: Uint8Array): void {
    this.#lines.push(chunk)
  }

  end(): void {
    this.#lines.end()
  }

  #take(line: string): void {
    const { limits, receiver } = this.#options
    const frame = parseFrame(line, limits.frame)
    if (frame.kind === 'message') receiver.message(frame.message)
    else if (frame.kind === 'unreadable') this.#skip(frame, line)
    else {
      for (const entry of frame.entries) {
        if (entry.kind === 'unreadable') this.#skip(entry, line)
        else receiver.message(entry)
      }
    }
  }

  /** Whoever waits for what this was to be is told that it will not come. */
  #skip({ id, answers, situation, message }: Unreadable, line: string): void {
    const { answer, backend, receiver } = this.#options
    if (answers !== undefined) {
      const error = wireError('tool_failed', view, {
        backend,
        message: `The backend sent no valid response: ${message}`,
      })
      receiver.message({ kind: 'error', dialect: '2.0', id: answers, error })
    } else if (id !== undefined) {
      answer({ kind: 'error', dialect: '2.0', id, error: wireError(situation, view, { message }) })
    }
    this.#discard(message, line)
  }

  #discard(reason: string, line?: string): void {
    this.discarded += 1
    const suppressed = this.#budget.spend()
    if (suppressed === undefined) return
    const { backend, log, redact } = this.#options
    const shown = line === undefined ? undefined : redact(line.slice(0, 2 * shownCharacters)).slice(0, shownCharacters)
    log.warn('A backend wrote a line to stdout that is no message', { backend, reason, line: shown, suppressed })
  }
}
