import type { Handler, Host } from '@junctor/exchange'
import type { Log, Emit } from '@junctor/contracts'
import type { Clock } from '../../shared/clock.ts'
import type { GatewayLimits } from '../../shared/limits.ts'
import type { JobDelivery } from '../delivery/job-delivery.ts'
import type { JobRecord } from '../record/job-record.ts'
import type { JobStore } from '../store/job-store.ts'
import type { ProfileOf } from '../record/job-view.ts'

/** What running a job needs. */
export interface RunParts {
  readonly store: Pick<JobStore, 'change' | 'bury'>
  readonly deliveries: Pick<JobDelivery, 'deliver' | 'deliverSurely'>
  readonly host: Host
  readonly clock: Clock
  readonly limits: Pick<GatewayLimits, 'jobMs' | 'jobLeaseMs' | 'jobCharacters'>
  readonly log: Log
  readonly emit: Emit
  /** The longest timeout of any call, in milliseconds. */
  longestCallMs(): number
  readonly profileOf: ProfileOf
  /** Returns the handler of the job's request: the home node of its session. */
  readonly handlerOf: (record: JobRecord) => Handler
}
