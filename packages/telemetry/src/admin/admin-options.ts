import type { Log } from '@junctor/contracts'
import type { EventLog, QueriedEvents } from '../events/create-event-log.ts'
import type { AskedEvents } from '../events/event-query.ts'
import type { Metrics } from '../metrics/create-metrics.ts'

export interface AdminOptions {
  readonly listen: {
    readonly host: string
    /** 0 for any free port. */
    readonly port: number
    /** What `/status` and `/events` want as a bearer token; undefined: they are refused. */
    readonly token: string | undefined
    /** `Host` headers to serve besides those of this machine and of `host`. */
    readonly allowedHosts?: readonly string[]
  }
  /** Whether new work is welcome; if not, why: `starting`, `draining`, `fabric_unavailable`, `wrong_cluster_key`. */
  ready(): Readiness
  /** What `/status` shows, as plain data. */
  status(): Promise<object>
  /** Those of this node. */
  readonly events: Pick<EventLog, 'knows' | 'query' | 'follow'>
  /** Those of all nodes, as `EventLog.query` tells those of one. Never rejects. */
  readonly allEvents: (tenant: string | undefined, asked: AskedEvents) => Promise<AllEvents>
  readonly metrics: Pick<Metrics, 'text' | 'contentType'>
  readonly log: Log
}

/** What several nodes told; `silent` are the names of those that did not answer. */
export type AllEvents = QueriedEvents & { readonly silent?: readonly string[] }

export type Readiness = { readonly ready: true } | { readonly ready: false; readonly reason: string }
