import type { Storage } from './storage.ts'
import { undeliverableItems } from './unreached.ts'

/** How often a consumer is checked, in milliseconds: it is stuck if it was stuck at two checks. */
const everyMs = 4_000

/**
 * Detects a consumer that never delivers some of its messages: a server that was killed, or whose disk was full, may
 * have lost the stream's position, a delivery or a removal. A new consumer delivers everything; the notes of loans
 * decide which items may be lent.
 */
export class ConsumerCheck {
  readonly #storage: Storage
  readonly #stream: string
  readonly #consumer: string
  #lookedAt = performance.now()
  #wasStuck = false

  constructor(storage: Storage, stream: string, consumer: string) {
    this.#storage = storage
    this.#stream = stream
    this.#consumer = consumer
  }

  /** Checks at intervals. Returns true when the consumer was stuck at two checks, and must be recreated. */
  async look(): Promise<boolean> {
    const now = performance.now()
    if (now - this.#lookedAt < everyMs) return false
    this.#lookedAt = now
    const { consumers, streams } = this.#storage.manager
    try {
      const { num_ack_pending: onLoan, delivered } = await consumers.info(this.#stream, this.#consumer)
      const { state } = await streams.info(this.#stream)
      const { messages: items, last_seq: last } = state
      const isStuck = undeliverableItems({ onLoan, delivered: delivered.stream_seq, items, last }) > 0
      const isSure = isStuck && this.#wasStuck
      this.#wasStuck = isStuck && !isSure
      return isSure
    } catch {
      // The server or the consumer is missing: the next request to it reports that.
      return false
    }
  }
}
