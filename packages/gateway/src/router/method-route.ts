import type { Outcome } from '@junctor/exchange'
import type { Tell } from '@junctor/contracts'
import type { Call } from '../upstream/calls/call.ts'
import type { BackendCalls } from '../upstream/calls/backend-calls.ts'
import type { CallerViews } from '../upstream/callers/caller-views.ts'
import type { JobDesk } from '../jobs/job-desk.ts'
import type { GatewayLimits } from '../shared/limits.ts'
import type { LogLevels } from '../upstream/calls/log-levels.ts'
import type { Subscriptions } from '../upstream/subscriptions.ts'

/** Answers one method at the session's home. */
export type MethodRoute = (call: Call) => Outcome | Promise<Outcome>

/** What the routes work with. */
export interface RouterParts {
  readonly views: CallerViews
  readonly calls: BackendCalls
  readonly subscriptions: Subscriptions
  readonly levels: LogLevels
  readonly tell: Tell
  readonly jobs: JobDesk
  readonly limits: GatewayLimits
  /** This node. */
  readonly node: string
}
