import type { OutgoingMessage } from './batch-messages.ts'

/**
 * The limit of waiting messages, in bytes: 8 MiB. A receiver detects a dropped message by the numbers of later ones.
 */
const mostBytes = 8_388_608

/** Messages that wait for longer, in milliseconds, are not sent: the other nodes treat this node as gone. */
const longestMs = 10_000

/** Buffers what a node sends while its connection is lost: the NATS client would drop it. */
export class UnsentMessages {
  #messages: { readonly at: number; readonly unsent: OutgoingMessage }[] = []
  #bytes = 0

  add(unsent: OutgoingMessage): void {
    this.#bytes += unsent.body.length
    if (this.#bytes <= mostBytes) this.#messages.push({ at: performance.now(), unsent })
  }

  /** Returns the messages that are still worth sending, in order, and empties the buffer. */
  take(): readonly OutgoingMessage[] {
    const oldest = performance.now() - longestMs
    const messages = this.#messages
    this.#messages = []
    this.#bytes = 0
    return messages.filter(({ at }) => at >= oldest).map(({ unsent }) => unsent)
  }
}
