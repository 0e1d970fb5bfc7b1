import type { ForeignKind, Log } from '@junctor/contracts'
import { PacedCounts } from '@junctor/primitives'

const messages: Readonly<Record<ForeignKind, string>> = {
  sent: 'messages without a seal by a key of this cluster were dropped; does a node have another key?',
  repeated: 'repeated messages were dropped; does an attacker replay them?',
  stored:
    'data without a seal by a key of this cluster were found in NATS, and count as absent; does a node have another key?',
}

/**
 * Counts messages and stored data that no node of the cluster can have made, and logs them once a minute: a node with
 * another key sends a message every two seconds.
 */
export class ForeignMessages {
  readonly counts: Record<ForeignKind, number> = { sent: 0, repeated: 0, stored: 0 }
  /** When a message without a valid seal arrived last, by the monotonic clock. */
  receivedAt: number = -Infinity
  readonly #log: Log
  readonly #paced = new PacedCounts<ForeignKind>()

  constructor(log: Log) {
    this.#log = log
  }

  add(kind: ForeignKind, subject: string): void {
    this.counts[kind] += 1
    if (kind === 'sent') this.receivedAt = performance.now()
    const count = this.#paced.add(kind)
    if (count !== undefined) this.#log.warn(messages[kind], { subject, count })
  }
}
