import type { Storage } from './storage.ts'
import { unreachedItems } from './unreached.ts'

/** How often a consumer is looked at, in milliseconds: twice within this it cannot be seen to be stuck. */
const everyMs = 4_000

/**
 * Finds a consumer that never delivers some of what there is: a server that was killed, or whose disk was full, may have
 * lost how far the stream was, what was delivered, or what was removed. Made again, it delivers all that there is; the
 * notes of loans say what of it may be lent.
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

  /** Looks now and then. True: the consumer was seen to be stuck twice, and has to be made again. */
  async look(): Promise<boolean> {
    const now = performance.now()
    if (now - this.#lookedAt < everyMs) return false
    this.#lookedAt = now
    const { consumers, streams } = this.#storage.manager
    try {
      const { num_ack_pending: onLoan, delivered } = await consumers.info(this.#stream, this.#consumer)
      const { state } = await streams.info(this.#stream)
      const { messages: items, last_seq: last } = state
      const isStuck = unreachedItems({ onLoan, delivered: delivered.stream_seq, items, last }) > 0
      const isSure = isStuck && this.#wasStuck
      this.#wasStuck = isStuck && !isSure
      return isSure
    } catch {
      // There is no server, or no consumer: whoever asks it for something finds out.
      return false
    }
  }
}
