import type { TransportName } from '@junctor/exchange'

/** What is known of a connection or HTTP request before its body is read. */
export interface Head {
  readonly transport: TransportName
  /** The tenant in the path; `undefined` on a path without a tenant. */
  readonly tenant: string | undefined
  /** The peer is on this machine. */
  readonly loopback: boolean
  /** The method and the path of an HTTP request, as it was received, without query. Absent: the transport has neither. */
  readonly target?: { readonly method: string; readonly path: string }
  /** Returns a header by its lower-case name. Transports without headers return `undefined`. */
  header(name: string): string | undefined
}
