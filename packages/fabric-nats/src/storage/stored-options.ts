import type { Subjects } from '@junctor/nats'

/** The options of everything that is stored in NATS. */
export interface StoredOptions {
  readonly subjects: Subjects
  /** The name, unique among values of the same kind. */
  readonly name: string
  /** Throws when the node has left, or is not a member of the cluster. */
  readonly check: () => void
  /** Returns epoch milliseconds. */
  readonly now: () => number
}
