import type { Handler } from '@junctor/exchange'
import { mcpProfile } from '@junctor/protocol'
import type { Jobs } from './create-jobs.ts'
import { createJobs } from './create-jobs.ts'
import type { Foundation } from './foundation.ts'
import { homeHandler } from './front/home-handler.ts'
import type { JobRunner } from './jobs/job-runner.ts'
import { createRouter } from './router/router.ts'
import type { Deliveries } from './sessions/deliveries.ts'
import { createDeliveries } from './sessions/deliveries.ts'
import type { SessionlessCallers } from './sessions/sessionless-callers.ts'
import { createSessionlessCallers } from './sessions/sessionless-callers.ts'
import type { Upstream } from './upstream/upstream.ts'
import { createUpstream } from './upstream/upstream.ts'

/** The parts of a node that answer requests, immediately or later as jobs. */
export interface Answering {
  readonly upstream: Upstream
  readonly sessionless: SessionlessCallers
  /** Answers requests of sessions whose home is this node, and requests without a session. */
  readonly answer: Handler
  readonly desk: Jobs['desk']
  readonly runner: JobRunner
  readonly deliveries: Deliveries
}

export function createAnswering(foundation: Foundation): Answering {
  const { fabric, tenants, table, limits, clock, streams, homeCalls, emit } = foundation
  const upstream = createUpstream({ ...foundation, callers: table })
  const deliveries = createDeliveries(foundation, foundation, streams)
  const profileOf = (tenant: string) => tenants.get(tenant)?.tenant.profile ?? mcpProfile
  const jobs = createJobs({ ...foundation, deliveries, profileOf })
  const route = createRouter({ ...upstream, emit, jobs: jobs.desk, limits, node: fabric.node })
  const sessionless = createSessionlessCallers(tenants, upstream, limits, clock)
  const answer = homeHandler(sessionless, table, homeCalls, route, emit, clock.now)
  return { upstream, sessionless, answer, desk: jobs.desk, runner: jobs.run(answer), deliveries }
}
