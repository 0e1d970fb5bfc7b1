/** What a fabric keeps things in. */
export type StorageKind = 'store' | 'log' | 'queue'

/**
 * What a node drops for its seal: messages that were sent without a key of the cluster, those that were heard before, and
 * what was found stored without a key.
 */
export type ForeignKind = 'sent' | 'repeated' | 'stored'

/** How a fabric does, as one node sees it. Counts rise for as long as the node is there. */
export interface FabricReadings {
  /** Why others cannot be reached, or nothing can be kept, for whoever runs the node. Undefined: all is well. */
  readonly problem: string | undefined
  /** This node's key is none of the cluster's: it takes no part. */
  readonly isStranger: boolean
  readonly connected: boolean
  /** How often the connection was lost and came back. */
  readonly reconnects: number
  /** Nodes that are there, this one included. */
  readonly nodes: number
  /** How far the clocks of other nodes are ahead of the one here, in milliseconds; below zero: behind. */
  readonly clocksAheadMs: Readonly<Record<string, number>>
  /** Calls that are under way to services elsewhere. */
  readonly placed: number
  /** Calls from elsewhere that are under way here. */
  readonly served: number
  /** What could not be stored or read in time. */
  readonly storageFailures: Readonly<Record<StorageKind, number>>
  /** What nobody of the cluster can have sent or stored, and was dropped. */
  readonly foreign: Readonly<Record<ForeignKind, number>>
  /** From here to what carries the fabric, and back, in milliseconds, when it was measured last. */
  readonly roundTripMs: number | undefined
}
