import type { Handler, Host } from '@junctor/exchange'
import type { Log, Tell } from '@junctor/contracts'
import type { Profile } from '@junctor/protocol'
import type { Clock } from '../shared/clock.ts'
import type { GatewayLimits } from '../shared/limits.ts'
import type { JobDelivery } from './job-delivery.ts'
import type { JobRecord } from './job-record.ts'
import type { JobStore } from './job-store.ts'

/** What running a job needs. */
export interface JobParts {
  readonly store: JobStore
  readonly deliveries: JobDelivery
  readonly host: Host
  readonly clock: Clock
  readonly limits: GatewayLimits
  readonly log: Log
  readonly tell: Tell
  /** How long jobs may take that nobody can ask for, in milliseconds. */
  readonly passingMs: number
  /** Whether a node is there, also when it cannot be reached for a moment. */
  readonly isThere: (node: string) => Promise<boolean>
  /** The longest that any call may take, in milliseconds. */
  longestCallMs(): number
  readonly profileOf: (tenant: string) => Profile
  /** The record was written, and says something that it did not say before. */
  changed(record: JobRecord): void
  /** Where its session is at home now: that may have been handed on. */
  readonly homeOf: (record: Pick<JobRecord, 'session' | 'home'>) => string | Promise<string>
  /** What answers the job's request: its session, wherever that is at home. */
  readonly handlerOf: (record: JobRecord) => Handler
}
