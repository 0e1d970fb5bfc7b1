import type { Log } from '@junctor/exchange'
import type { EventLog } from '../events/create-event-log.ts'
import type { Metrics } from '../metrics/create-metrics.ts'

export interface AdminOptions {
  readonly listen: {
    readonly host: string
    /** 0 for any free port. */
    readonly port: number
    /** What `/status` and `/events` want as a bearer token; undefined: they are refused. */
    readonly token: string | undefined
  }
  /** Whether new work is welcome; if not, why: `starting`, `draining`, `overloaded`. */
  ready(): Readiness
  /** What `/status` shows, as plain data. */
  status(): Promise<object>
  readonly events: Pick<EventLog, 'knows' | 'query' | 'follow'>
  readonly metrics: Pick<Metrics, 'text' | 'contentType'>
  readonly log: Log
}

export type Readiness = { readonly ready: true } | { readonly ready: false; readonly reason: string }
