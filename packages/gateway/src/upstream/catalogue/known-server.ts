import type { ServerInfo } from '@junctor/contracts'

/** A backend as a tenant sees it. */
export interface KnownServer {
  readonly name: string
  readonly prefix: string
  /** Whether it is the gateway's own, and not a configured backend. */
  readonly builtIn?: boolean
  /** The information that it reports about itself; `undefined` while it has not been reached. */
  readonly server: ServerInfo | undefined
  /** It is seen at its own endpoint: its extensions pass. Default: it is one of a tenant's backends. */
  readonly single?: true | undefined
  /** Whether it offers views (MCP Apps), also when it does not declare them. */
  readonly hasViews?: boolean
}
