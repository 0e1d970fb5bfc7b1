import type { Outcome } from '@junctor/exchange'
import type { Tell } from '@junctor/contracts'
import type { Call } from '../calls/call.ts'
import type { BackendCalls } from '../calls/backend-calls.ts'
import type { SessionViews } from '../catalogue/session-views.ts'
import type { JobEngine } from '../jobs/job-engine.ts'
import type { GatewayLimits } from '../limits.ts'
import type { LogLevels } from '../sessions/log-levels.ts'
import type { Subscriptions } from '../sessions/subscriptions.ts'

/** Answers one method at the session's home. */
export type MethodRoute = (call: Call) => Outcome | Promise<Outcome>

/** What the routes work with. */
export interface RouterParts {
  readonly views: SessionViews
  readonly calls: BackendCalls
  readonly subscriptions: Subscriptions
  readonly levels: LogLevels
  readonly tell: Tell
  readonly jobs: () => JobEngine
  readonly limits: GatewayLimits
  /** This node. */
  readonly node: string
}
