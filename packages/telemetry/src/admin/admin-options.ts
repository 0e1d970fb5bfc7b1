import type { Log } from '@junctor/contracts'
import type { EventLog, QueriedEvents } from '../events/create-event-log.ts'
import type { EventFilter } from '../events/event-query.ts'
import type { AdminBackends } from './admin-backends.ts'
import type { Metrics } from '../metrics/create-metrics.ts'

/** What the admin port shows, and to whom. */
export interface AdminOptions {
  readonly listen: {
    readonly host: string
    /** 0 for any free port. */
    readonly port: number
    /** The bearer token for `/status`, `/events` and `/backends`; undefined: they are refused. */
    readonly token: string | undefined
    /** Allowed `Host` headers besides those of this machine and of `host`. */
    readonly allowedHosts?: readonly string[]
  }
  /**
   * Whether the node accepts new work; if not, the reason: `starting`, `draining`, `fabric_unavailable`,
   * `wrong_cluster_key`.
   */
  ready(): Readiness
  /** Returns the content of `/status`, as plain data. A node that is not ready has `notReady` in it too: the reason. */
  status(): Promise<object>
  /** The events of this node. */
  readonly events: Pick<EventLog, 'knows' | 'follow'>
  /** Queries the events of all nodes, like `EventLog.query` for one. Never rejects. */
  readonly allEvents: (tenant: string | undefined, asked: EventFilter) => Promise<AllEvents>
  /** Adds, changes and removes backends while the node runs. Absent: the port has no `/backends`. */
  readonly backends?: AdminBackends
  readonly metrics: Pick<Metrics, 'text' | 'contentType'>
  readonly log: Log
}

/** The events of several nodes. `silent` lists the names of nodes that did not answer. */
export type AllEvents = QueriedEvents & { readonly silent?: readonly string[] }

/** Whether a node can take requests, and if not, why. */
export type Readiness = { readonly ready: true } | { readonly ready: false; readonly reason: string }
