import type { Subjects } from '@junctor/nats'

/** What everything that is stored in NATS is made with. */
export interface StoredOptions {
  readonly subjects: Subjects
  /** Tells it from others of its kind. */
  readonly name: string
  /** Throws when the node has left, or is none of the cluster's. */
  readonly check: () => void
  /** Epoch milliseconds. */
  readonly now: () => number
}
