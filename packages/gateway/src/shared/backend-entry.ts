import type { Backend, Isolation } from '@junctor/contracts'

/** A backend as this gateway uses it: where its names appear, for whom its links are, and what bounds them. */
export interface BackendEntry {
  readonly backend: Backend
  /** The namespace in front of the separator; empty: names and URIs are the backend's own. `undefined`: each tenant's profile decides. */
  readonly prefix: string | undefined
  readonly isolation: Isolation
  /** Time for one call, questions to the client not counted, in milliseconds. */
  readonly timeoutMs: number
  /** Time for the client to answer a question of this backend, in milliseconds. */
  readonly askTimeoutMs: number
  /** Links open at once on this node: processes, connections. */
  readonly maxLinks: number
  /** A link that was not used for this long is closed, in milliseconds. */
  readonly idleMs: number
  /** Other nodes hold its links, and say so when they come and go. Default: this node does. */
  readonly remote?: true
  /** The gateway's own tools: no policy hides them, and they are not told of as a backend. Default: it is a backend. */
  readonly builtIn?: true
}

/** What a backend gets unless its entry says otherwise. */
export const backendDefaults: Omit<BackendEntry, 'backend' | 'prefix'> = {
  isolation: 'session',
  timeoutMs: 30_000,
  askTimeoutMs: 60_000,
  maxLinks: 256,
  idleMs: 5 * 60_000,
}
