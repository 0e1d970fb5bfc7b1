import type { LinkEvent, Log, Receiver, Emit } from '@junctor/contracts'
import {
  answeredBy,
  createLineDecoder,
  entriesOf,
  idAtEnd,
  judgeBeginning,
  type LineDecoder,
  type Message,
  parseFrame,
  type RequestId,
  type Unreadable,
} from '@junctor/jsonrpc'
import { invalidResponse, mcpProfile, type Situation, wireError } from '@junctor/protocol'
import type { LineLimits } from '../options.ts'
import { createLogBudget } from './log-budget.ts'

/** The backend that is read, how long its lines may be, and who gets its messages. */
export interface ChildReaderOptions {
  readonly backend: string
  readonly log: Log
  /** Called for each line that is skipped. */
  readonly emit: Emit
  readonly limits: LineLimits
  readonly receiver: Receiver
  /** Sends the answer to a request of the child that could not be parsed. */
  readonly answer: (message: Message) => void
  readonly redact: (text: string) => string
}

/** Parses the bytes of a child's stdout into messages. */
export interface ChildReader extends LineDecoder {
  /** The number of lines without a message since the last message. */
  readonly discardedInARow: number
}

type DiscardReason = Extract<LinkEvent, { kind: 'output_discarded' }>['reason']

/** Characters of a discarded line that are logged. */
const shownCharacters = 200

/** Anything else is no message, whatever follows. */
const startsLikeMessage = /^\s*[[{]/

const view = { revision: undefined, dialect: '2.0', profile: mcpProfile } as const

/**
 * Reads what a child writes. Programs print many things to stdout, so a line that is not a message is skipped, counted
 * and logged, and does not affect the next line. A batch, which a backend of 2025-03-26 may send, is split. When a
 * response is skipped and its id can be read (at the beginning or the end of a line that is too long, or in a line that
 * is not UTF-8), the caller receives an error immediately.
 */
export function createChildReader(options: ChildReaderOptions): ChildReader {
  return new DiscardingReader(options)
}

class DiscardingReader implements ChildReader {
  discardedInARow = 0
  /** Whether the line that is too long is a response with its id at the end. */
  #hasIdAtEnd = false
  readonly #options: ChildReaderOptions
  readonly #lines: LineDecoder
  readonly #budget = createLogBudget(() => performance.now())

  constructor(options: ChildReaderOptions) {
    const { limits } = options
    this.#options = options
    this.#lines = createLineDecoder({
      maxBytes: limits.line,
      onLine: (line) => this.#take(line),
      onOverlong: (_, beginning) => this.#overlong(beginning),
      onOverlongEnd: (ending) => this.#overlongEnd(ending),
      onInvalid: (line) => this.#invalid(line),
    })
  }

  push(chunk: Uint8Array): void {
    this.#lines.push(chunk)
  }

  end(): void {
    this.#lines.end()
  }

  /** Skips a line that is not UTF-8. Its texts are not what the program meant; its ids are. */
  #invalid(line: string): void {
    const problem = 'Expected UTF-8, got other bytes'
    this.#discard('not_utf8', problem, line)
    if (!startsLikeMessage.test(line)) return
    for (const entry of entriesOf(parseFrame(line, this.#options.limits.frame))) {
      if (entry.kind === 'request') this.#refuse(entry.id, 'parse_error', problem)
      else if ((entry.kind === 'result' || entry.kind === 'error') && entry.id !== undefined) {
        this.#answerFor(entry.id, problem)
      }
    }
  }

  #take(line: string): void {
    // A program that floods its output is skipped cheaply: the error of a parser costs far more than the line.
    if (!startsLikeMessage.test(line)) {
      this.#discard('not_a_message', reasonFor(line, 'Expected a JSON object or a batch, got other text'), line)
      return
    }
    for (const entry of entriesOf(parseFrame(line, this.#options.limits.frame))) {
      if (entry.kind === 'unreadable') {
        this.#skip(entry, line)
        continue
      }
      this.discardedInARow = 0
      this.#options.receiver.message(entry)
    }
  }

  #overlong(beginning: string): void {
    const message = this.#tooLong()
    this.#discard('too_long', message, beginning)
    const judged = judgeBeginning(beginning)
    this.#hasIdAtEnd = judged.kind === 'id_last'
    if (judged.kind === 'answers') this.#answerFor(judged.id, message)
  }

  #overlongEnd(ending: string): void {
    const id = this.#hasIdAtEnd ? idAtEnd(ending) : undefined
    this.#hasIdAtEnd = false
    if (id !== undefined) this.#answerFor(id, this.#tooLong())
  }

  #tooLong(): string {
    return `Expected a line of at most ${this.#options.limits.line} bytes, got a longer one`
  }

  /** Skips a message. If a caller waits for it, the caller receives an error. */
  #skip(entry: Unreadable, line: string): void {
    const { id, situation, message } = entry
    const own = answeredBy(entry, line)
    if (own !== undefined) this.#answerFor(own, message)
    else if (id !== undefined) this.#refuse(id, situation, message)
    this.#discard('not_a_message', situation === 'parse_error' ? reasonFor(line, message) : message, line)
  }

  /** Answers a request of the child that cannot be used. */
  #refuse(id: RequestId, situation: Situation, message: string): void {
    const error = wireError(situation, view, { message })
    this.#options.answer({ kind: 'error', dialect: '2.0', id, error })
  }

  /** Delivers an error in place of an unusable response. */
  #answerFor(id: RequestId, problem: string): void {
    const { backend, receiver } = this.#options
    receiver.message(invalidResponse(id, problem, backend))
  }

  #discard(why: DiscardReason, reason: string, line: string): void {
    this.discardedInARow += 1
    this.#options.emit({ kind: 'output_discarded', backend: this.#options.backend, reason: why })
    const suppressed = this.#budget.spend()
    if (suppressed === undefined) return
    const { backend, log, redact } = this.#options
    const shown = redact(line.slice(0, 2 * shownCharacters)).slice(0, shownCharacters)
    log.warn('a backend wrote a line to stdout that is not a message', { backend, reason, line: shown, ...suppressed })
  }
}

/**
 * The reason why a line is skipped. A message beside other text in a line is not used: it may be what the program logs
 * of a message, or of a text that others sent to it.
 */
function reasonFor(line: string, reason: string): string {
  if (!line.includes('"jsonrpc"')) return reason
  return `Expected one whole message and nothing else in the line; a program must write its log to stderr. ${reason}`
}
