import type { Backend, Isolation } from '@junctor/contracts'
import type { ApprovedTools } from '@junctor/protocol'

/** A backend as this gateway uses it: the prefix of its names, who shares its links, and its limits. */
export interface BackendEntry {
  readonly backend: Backend
  /**
   * The namespace in front of the separator; empty: names and URIs are the backend's own. `undefined`: each tenant's
   * profile decides.
   */
  readonly prefix: string | undefined
  readonly isolation: Isolation
  /** Timeout of one call, in milliseconds. The time that the client needs to answer questions does not count. */
  readonly timeoutMs: number
  /** Time for the client to answer a question of this backend, in milliseconds. */
  readonly askTimeoutMs: number
  /** The most links open at the same time on this node: processes or connections. */
  readonly maxLinks: number
  /** The most calls that it works on at the same time, from this node; others wait. `undefined`: any number. */
  readonly concurrency?: number | undefined
  /** The most calls that wait for their turn on this node. Default 100. */
  readonly queue: number
  /** Whether calls that were lost on their way are sent once more, if that is safe. Default true. */
  readonly retry?: boolean | undefined
  /** A link that was not used for this long is closed, in milliseconds. */
  readonly idleMs: number
  /**
   * The origins of its views (MCP Apps, `_meta.ui.domain`). `drop` removes all, `keep` none. `recompute`: those that hosts
   * make from the URL of a server are made from that of the backend's own endpoint, others stay. Default: those are removed,
   * others stay.
   */
  readonly appDomain?: 'drop' | 'keep' | 'recompute' | undefined
  /** The definitions of its tools that were approved. Default: every tool is shown as it comes. */
  readonly pins?: ToolPins | undefined
  /**
   * A text that is another one when its server is at another place: a state that the server gave is for it alone. Default:
   * its name stands for it.
   */
  readonly address?: string
  /** Other nodes hold its links, and report when links open and close. Default: this node holds them. */
  readonly remote?: true
  /**
   * The gateway's own tools: no policy hides them, and events do not report them as a backend. Default: it is a
   * backend.
   */
  readonly builtIn?: true
}

/** The tools of a backend that were approved, and what becomes of all others. */
export interface ToolPins {
  /** `warn`: other tools are reported. `block`: clients do not see them either. */
  readonly mode: 'warn' | 'block'
  readonly approved: ApprovedTools
}

/** The settings of a backend whose entry does not set them. */
export const backendDefaults: Omit<BackendEntry, 'backend' | 'prefix'> = {
  isolation: 'session',
  timeoutMs: 30_000,
  askTimeoutMs: 60_000,
  maxLinks: 256,
  queue: 100,
  idleMs: 5 * 60_000,
}
