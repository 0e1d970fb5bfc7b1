import type { Storage } from './storage.ts'

/** How often a consumer is looked at, in milliseconds: twice within this it cannot be seen to be stuck. */
const everyMs = 4_000

/**
 * Finds a consumer that delivers nothing more although there is something: a server whose disk was full may have lost how
 * far the stream was, and count from 1 again, which the consumer takes for delivered.
 */
export class ConsumerCheck {
  readonly #storage: Storage
  readonly #stream: string
  readonly #consumer: string
  #lookedAt = -Infinity
  #seen: string | undefined = undefined

  constructor(storage: Storage, stream: string, consumer: string) {
    this.#storage = storage
    this.#stream = stream
    this.#consumer = consumer
  }

  /** Deletes the consumer when it was seen to be stuck twice; true: it has to be made again. */
  async look(): Promise<boolean> {
    const now = performance.now()
    if (now - this.#lookedAt < everyMs) return false
    this.#lookedAt = now
    const { consumers, streams } = this.#storage.manager
    try {
      const { num_pending, num_ack_pending, delivered } = await consumers.info(this.#stream, this.#consumer)
      const { state } = await streams.info(this.#stream)
      const isStuck = state.messages > 0 && num_pending === 0 && num_ack_pending === 0
      const seen = isStuck ? `${delivered.stream_seq} of ${state.last_seq}` : undefined
      const isSure = seen !== undefined && seen === this.#seen
      this.#seen = isSure ? undefined : seen
      return isSure && (await consumers.delete(this.#stream, this.#consumer))
    } catch {
      // There is no server, or no consumer: whoever asks it for something finds out.
      return false
    }
  }
}
