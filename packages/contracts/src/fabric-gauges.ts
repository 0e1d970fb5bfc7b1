/** The kinds of storage that a fabric has. */
export type StorageKind = 'store' | 'log' | 'queue'

/**
 * Why a node drops a message or a stored value because of its seal. `sent`: the sender has no key of the cluster.
 * `repeated`: the node received the message before. `stored`: the stored value is not sealed with a key of the cluster.
 */
export type ForeignKind = 'sent' | 'repeated' | 'stored'

/** The health of a fabric, as one node sees it. Counters rise for the lifetime of the node. */
export interface FabricGauges {
  /** Why other nodes cannot be reached, or nothing can be stored; for the operator. Undefined: no problem. */
  readonly problem: string | undefined
  /** This node's key is not a key of the cluster: the node takes no part. */
  readonly hasWrongKey: boolean
  readonly connected: boolean
  /** How often the connection was lost and restored. */
  readonly reconnects: number
  /** The number of nodes that are present, including this one. */
  readonly nodes: number
  /**
   * How far the clock of each other node is ahead of the local clock, in milliseconds. A negative value means behind.
   */
  readonly clocksAheadMs: Readonly<Record<string, number>>
  /** Calls in progress to services on other nodes. */
  readonly placed: number
  /** Calls in progress here that came from other nodes. */
  readonly served: number
  /** The number of operations that did not store or read in time. */
  readonly storageFailures: Readonly<Record<StorageKind, number>>
  /**
   * The number of messages and stored values that no node of the cluster can have sent or stored, and that were
   * dropped.
   */
  readonly foreign: Readonly<Record<ForeignKind, number>>
  /**
   * Round trip time between this node and the server that carries the fabric, in milliseconds, as last measured.
   * Undefined: not measured yet.
   */
  readonly roundTripMs: number | undefined
}
