import type { FabricReadings } from '@junctor/contracts'

/** How things stand on a node at the moment of a scrape: what gauges show. `Gateway.readings()` and `Fabric.readings()` give it. */
export interface Readings {
  /** Sessions at home here, by transport. */
  readonly sessions: Readonly<Record<string, number>>
  /** Streams that are open or can still be resumed. */
  readonly streams: number
  readonly backends: readonly BackendReading[]
  /** How what the nodes share does. */
  readonly fabric: FabricReadings
  /** The files that it writes. */
  readonly files?: readonly FileReading[]
}

/** How a file does that lines are appended to. */
export interface FileReading {
  readonly name: 'audit' | 'events'
  readonly file: string
  /** Why it cannot be written now. */
  readonly problem: string | undefined
  /** Lines that were lost. */
  readonly lost: number
}

/** How one backend does. */
export interface BackendReading {
  readonly name: string
  readonly state: 'starting' | 'up' | 'down' | 'crash_looping'
  /** Open connections, or processes. */
  readonly links: number
  /** Calls that hold a link, or wait for it to open. */
  readonly inFlight: number
  /** Scopes that wait for a place. */
  readonly queued: number
  readonly breaker: 'closed' | 'half_open' | 'open'
}
