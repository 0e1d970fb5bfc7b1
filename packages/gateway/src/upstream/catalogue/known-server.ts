import type { ServerInfo } from '@junctor/contracts'
import type { PassedExtensions } from '@junctor/protocol'

/** A backend as a tenant sees it. */
export interface KnownServer {
  readonly name: string
  readonly prefix: string
  /** Whether it is the gateway's own, and not a configured backend. */
  readonly builtIn: boolean
  /** The information that it reports about itself; `undefined` while it has not been reached. */
  readonly server: ServerInfo | undefined
  /** The extensions beside those of the gateway that pass between it and clients. */
  readonly passed: PassedExtensions
  /** Whether it offers views (MCP Apps), also when it does not declare them. */
  readonly hasViews: boolean
}
