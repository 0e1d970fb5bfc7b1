import type { FabricGauges } from '@junctor/contracts'

/**
 * The state of a node at the moment of a scrape, as gauges. `Gateway.gauges()` and `Fabric.gauges()` return it.
 */
export interface NodeGauges {
  /** Sessions whose home is this node, by transport. */
  readonly sessions: Readonly<Record<string, number>>
  /** Streams of single requests that are open or can still be resumed. */
  readonly streams: number
  /** Requests without a session that wait for answers of their clients. */
  readonly waiting: number
  readonly backends: readonly BackendGauges[]
  /** The state of the fabric. */
  readonly fabric: FabricGauges
  /** The files that the node writes. */
  readonly files?: readonly FileGauges[]
}

/** The state of a file that lines are appended to. */
export interface FileGauges {
  readonly name: 'audit' | 'events'
  readonly file: string
  /** Why it cannot be written now. */
  readonly problem: string | undefined
  /** The number of lost lines. */
  readonly lost: number
}

/** The state of one backend. */
export interface BackendGauges {
  readonly name: string
  readonly state: 'starting' | 'up' | 'down' | 'crash_looping'
  /** Open connections, or processes. */
  readonly links: number
  /** Calls that hold a link, or wait for it to open. */
  readonly inFlight: number
  /** Scopes that wait for a place. */
  readonly queued: number
  /** Calls that wait for their turn. */
  readonly waiting: number
  readonly breaker: 'closed' | 'half_open' | 'open'
}
