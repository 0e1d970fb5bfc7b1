import type { Lease } from '@junctor/contracts'
import type { JsonValue } from '@junctor/jsonrpc'
import { type Msg, nanos, type NatsConnection } from '@nats-io/transport-node'
import { type LoanState, printLoanNote } from './loan-note.ts'
import { answerMs } from '../storage/storage.ts'
import { unavailable } from '../storage/storage-errors.ts'
import type { StoredStream } from '../storage/stored-stream.ts'

/** An item that the server has delivered, and the data of its loan. */
export interface LentItem<T> {
  readonly id: string
  readonly value: T
  readonly message: Msg
  /** Its sequence in the stream of items. */
  readonly item: number
  /** The sequence of the note that records the loan: also the loan's fence. */
  readonly note: number
  /** When the loan began, or earlier, by the monotonic clock. */
  readonly at: number
}

/** Where the notes of a lease are, and how long it lasts. */
export interface LoanTerms {
  readonly connection: NatsConnection
  /** The stream of loan notes. */
  readonly loans: StoredStream
  /** The subject of this item's notes. */
  readonly subject: string
  readonly leaseMs: number
  /** Called once, when the loan is over. */
  readonly over: () => void
}

/**
 * An item on loan to this node.
 *
 * A server accepts each answer to a delivery, even from a holder whose loan has expired and whose item another node
 * has. So a holder answers only after it has replaced the note of its own loan. If another node has taken the item
 * since, it has replaced the note too, and this holder does not answer.
 */
export class NatsLease<T extends JsonValue> implements Lease<T> {
  readonly id: string
  readonly value: T
  readonly fence: number
  readonly #message: Msg
  readonly #item: number
  readonly #terms: LoanTerms
  /** The sequence of the last note of this loan. */
  #last: number
  #endsAt: number
  #isOver = false
  /** Serializes the notes: each replaces the one before. */
  #turn: Promise<unknown> = Promise.resolve()

  constructor({ id, value, message, item, note, at }: LentItem<T>, terms: LoanTerms) {
    this.id = id
    this.value = value
    this.fence = note
    this.#message = message
    this.#item = item
    this.#terms = terms
    this.#last = note
    this.#endsAt = at + terms.leaseMs
  }

  extend(): Promise<boolean> {
    return this.#inTurn(async () => {
      const at = performance.now()
      if (!(await this.#note('held'))) return false
      this.#message.respond('+WPI')
      this.#endsAt = at + this.#terms.leaseMs
      return true
    })
  }

  done(): Promise<boolean> {
    return this.#inTurn(async () => {
      if (!(await this.#note('done'))) return false
      this.#end()
      try {
        await this.#terms.connection.request(this.#message.reply ?? '', '+ACK', { timeout: answerMs })
      } catch (error) {
        throw unavailable(error)
      }
      return true
    })
  }

  async release(afterMs = 0): Promise<void> {
    await this.#inTurn(async () => {
      if (!(await this.#note('free'))) return
      this.#end()
      this.#message.respond(afterMs === 0 ? '-NAK' : `-NAK ${JSON.stringify({ delay: nanos(afterMs) })}`)
    })
  }

  /**
   * Writes a new state of the item. Returns false, without a write, when the loan is over or belongs to another node.
   */
  async #note(state: LoanState): Promise<boolean> {
    if (this.#isOver) return false
    if (performance.now() < this.#endsAt) {
      const { loans, subject } = this.#terms
      const text = printLoanNote({ state, item: this.#item })
      const note = await loans.publish(subject, text, { expected: this.#last })
      // `done` and `free` are valid even when they are late: no other node has written since.
      if (note !== 'conflict' && (state !== 'held' || performance.now() < this.#endsAt)) {
        this.#last = note
        return true
      }
    }
    this.#end()
    return false
  }

  #end(): void {
    this.#isOver = true
    this.#terms.over()
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#turn.then(work)
    this.#turn = result.catch(() => {})
    return result
  }
}
