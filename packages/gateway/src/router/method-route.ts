import type { Outcome } from '@junctor/exchange'
import type { Emit } from '@junctor/contracts'
import type { Call } from '../upstream/calls/call.ts'
import type { JobDesk } from '../jobs/desk/job-desk.ts'
import type { GatewayLimits } from '../shared/limits.ts'
import type { CallRates } from '../rates/call-rates.ts'
import type { Upstream } from '../upstream/upstream.ts'

/** Answers one method on the session's home node. */
export type MethodRoute = (call: Call) => Outcome | Promise<Outcome>

/** What the routes need. */
export interface RouterParts extends Pick<
  Upstream,
  'views' | 'owners' | 'calls' | 'catalogue' | 'subscriptions' | 'levels'
> {
  readonly emit: Emit
  readonly jobs: JobDesk
  readonly limits: GatewayLimits
  readonly rates: CallRates
  /** This node. */
  readonly node: string
  /** Returns epoch milliseconds. */
  readonly now: () => number
}
