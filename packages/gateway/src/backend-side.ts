import type { CallContext, Handler } from '@junctor/exchange'
import { mcpProfile } from '@junctor/protocol'
import { createJobs, type Jobs } from './create-jobs.ts'
import type { NodeParts } from './node-parts.ts'
import { homeHandler } from './front/home-handler.ts'
import type { JobRunner } from './jobs/run/job-runner.ts'
import { createRouter } from './router/router.ts'
import { createSubmissionJudge, type JudgeSubmission } from './router/judge-submission.ts'
import { createFrameDeliveries, type FrameDeliveries } from './sessions/frames/frame-deliveries.ts'
import { createSessionlessCallers, type SessionlessCallers } from './sessions/sessionless/sessionless-callers.ts'
import { ExclusiveLinks } from './stateless/exclusive-links.ts'
import { Listeners } from './stateless/listeners.ts'
import { createExclusiveCaller } from './stateless/exclusive-caller.ts'
import type { Caller } from './upstream/callers/caller.ts'
import { withCallerToken } from './upstream/callers/with-caller-token.ts'
import type { HomeCallers } from './upstream/callers/home-callers.ts'
import { createUpstream, type Upstream } from './upstream/upstream.ts'

/** The parts of a node that answer requests, immediately or later as jobs. */
export interface BackendSide {
  readonly upstream: Upstream
  readonly sessionless: SessionlessCallers
  /** The links for requests that must not share one. */
  readonly exclusiveLinks: ExclusiveLinks
  readonly listeners: Listeners
  /** Answers requests of sessions whose home is this node, and requests without a session. */
  readonly answer: Handler
  readonly desk: Jobs['desk']
  readonly runner: JobRunner
  readonly deliveries: FrameDeliveries
  readonly judgeSubmission: JudgeSubmission
}

/**
 * Creates everything that answers requests: the upstream, the jobs and the router. It uses nothing of the client side.
 */
export function createBackendSide(nodeParts: NodeParts): BackendSide {
  const { fabric, tenants, table, limits, clock, streams, homeCalls, emit, rates } = nodeParts
  /** The request that has each exclusive link, by the id of the link. The requests enter and leave it themselves. */
  const linkUsers = new Map<string, Caller>()
  const listeners = new Listeners()
  const upstreamCallers: HomeCallers = {
    peek: (id) => table.peek(id) ?? linkUsers.get(id) ?? listeners.peek(id),
    homes: () => [...table.homes(), ...listeners.all()],
  }
  const upstream = createUpstream({ ...nodeParts, callers: upstreamCallers })
  const deliveries = createFrameDeliveries(nodeParts, nodeParts, streams)
  const profileOf = (tenant: string) => tenants.get(tenant)?.tenant.profile ?? mcpProfile
  const jobs = createJobs({ ...nodeParts, deliveries, profileOf })
  const route = createRouter({
    ...upstream,
    emit,
    jobs: jobs.desk,
    limits,
    rates: rates.calls,
    node: fabric.node,
    now: clock.now,
  })
  const sessionless = createSessionlessCallers(tenants, upstream, limits, clock)
  const exclusiveLinks = new ExclusiveLinks(({ entry, scope }) => void upstream.closeLink(entry, scope))
  const exclusiveCaller = createExclusiveCaller({
    exclusiveLinks,
    source: upstream,
    catalogue: upstream.catalogue,
    linkUsers,
  })
  const answer = homeHandler({ sessionless, exclusiveCaller, table, homeCalls, route, emit, now: clock.now })
  const callerOf = (context: CallContext): Caller | undefined =>
    withCallerToken(
      (context.session === undefined ? undefined : table.home(context.session)) ?? sessionless.of(context),
      context,
    )
  return {
    upstream,
    sessionless,
    exclusiveLinks,
    listeners,
    answer,
    desk: jobs.desk,
    runner: jobs.run(answer),
    deliveries,
    judgeSubmission: createSubmissionJudge({ rates: rates.calls, tenants, callerOf, views: upstream.views }),
  }
}
