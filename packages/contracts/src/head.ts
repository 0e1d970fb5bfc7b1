/** What is known of a connection or HTTP request before its body is read. */
export interface Head {
  readonly transport: 'http' | 'stdio' | 'websocket' | 'nats'
  /** The tenant in the path, `undefined` on the plain path. */
  readonly tenant: string | undefined
  /** The peer is on this machine. */
  readonly loopback: boolean
  /** A header by its lower-case name. Transports without headers give `undefined`. */
  header(name: string): string | undefined
}
