import type { Era } from './eras.ts'
import type { Feature } from './features.ts'

/** How a server is reached from the gateway. */
export type ServerTransport = 'stdio' | 'http'

/** A server behind the gateway, in one era and over one transport. */
export interface ServerCell {
  /** The name of the peer. */
  readonly peer: string
  readonly era: Era
  readonly transport: ServerTransport
}

/** A client of the gateway, in one era. */
export interface ClientCell {
  /** The name of the peer. */
  readonly peer: string
  readonly era: Era
}

/** What became of a feature between a client and a server. */
export interface Outcome {
  readonly client: ClientCell
  readonly server: ServerCell
  readonly feature: Feature | 'connection'
  readonly outcome: 'passed' | 'failed'
  /** What went wrong; empty when it passed. */
  readonly detail: string
}
