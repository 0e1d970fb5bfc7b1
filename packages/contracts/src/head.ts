import type { TransportName } from '@junctor/exchange'

/** What is known of a connection or HTTP request before its body is read. */
export interface Head {
  readonly transport: TransportName
  /** The tenant in the path; `undefined` on a path without a tenant. */
  readonly tenant: string | undefined
  /** The peer is on this machine. */
  readonly loopback: boolean
  /** Returns a header by its lower-case name. Transports without headers return `undefined`. */
  header(name: string): string | undefined
}
