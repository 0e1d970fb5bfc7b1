import type { Fabric, Log, Emit, UnreadableReporter } from '@junctor/contracts'
import type { Handler, Host } from '@junctor/exchange'
import { createEndedJobs } from './jobs/run/ended-jobs.ts'
import { createRemovedJobs } from './jobs/store/removed-jobs.ts'
import { createIdempotencyKeys } from './jobs/store/idempotency.ts'
import type { JobDelivery } from './jobs/delivery/job-delivery.ts'
import { createJobDesk, type JobDesk } from './jobs/desk/job-desk.ts'
import { createJobRunner, type JobRunner } from './jobs/run/job-runner.ts'
import type { JobItem } from './jobs/record/job-item.ts'
import { createRunningJobs } from './jobs/run/running-jobs.ts'
import { createJobStore } from './jobs/store/job-store.ts'
import type { ProfileOf } from './jobs/record/job-view.ts'
import { createKeptJobs } from './jobs/store/kept-jobs.ts'
import { createUnattendedJobs, type UnattendedJobsParts } from './jobs/run/unattended-jobs.ts'
import { createOpenJobs } from './jobs/store/open-jobs.ts'
import { createDirectStarts } from './jobs/run/direct-starts.ts'
import { createRefusedJobs } from './jobs/store/refused-jobs.ts'
import { notifyTaskStatus } from './router/tasks/notify-task-status.ts'
import type { HomeFinder } from './sessions/home/home-finder.ts'
import type { Clock } from './shared/clock.ts'
import type { LargeRequests } from './shared/large-requests.ts'
import type { GatewayLimits } from './shared/limits.ts'

/** How long after its time limit a request can still be answered with that error, in milliseconds. */
const answerMs = 60_000

/** What the jobs of one node need. */
export interface JobsParts {
  readonly fabric: Fabric
  readonly host: Host
  readonly isPresent: UnattendedJobsParts['isPresent']
  readonly deliveries: JobDelivery
  readonly finder: Pick<HomeFinder, 'homeOf'>
  readonly profileOf: ProfileOf
  readonly clock: Clock
  readonly limits: GatewayLimits
  readonly large: LargeRequests
  readonly log: Log
  readonly emit: Emit
  readonly unreadable: UnreadableReporter
  /** The longest timeout of any call, in milliseconds. */
  longestCallMs(): number
}

/** The jobs of one node. */
export interface Jobs {
  readonly desk: JobDesk
  /**
   * Starts to run jobs. Must be called once.
   *
   * @param answer answers requests of sessions whose home is this node, and requests without a session
   */
  run(answer: Handler): JobRunner
}

/**
 * Creates the store, the queue, the runner and the desk of jobs. No job is taken from the queue yet. Jobs that clients
 * cannot poll are kept only as long as two of the longest calls, at most `limits.jobTtlMs`.
 */
export function createJobs(parts: JobsParts): Jobs {
  const { fabric, limits, large, clock, log, unreadable } = parts
  // Twice the longest call: one call may wait for another. A reload may change it.
  const unpollableMs = (): number => Math.min(limits.jobTtlMs, Math.max(limits.jobPassingMs, 2 * parts.longestCallMs()))
  const keepMs = { pollable: limits.jobTtlMs, unpollable: () => unpollableMs() + answerMs }
  const store = createJobStore(fabric, keepMs, clock.now, unreadable, (record, change) =>
    notifyTaskStatus(parts.deliveries, record, change),
  )
  const queue = fabric.queue<JobItem>('jobs', limits.jobLeaseMs)
  const push = (key: string, item: JobItem = key): Promise<void> => queue.push(key, item)
  const starts = createDirectStarts()
  const idempotency = createIdempotencyKeys(fabric, limits.jobTtlMs, clock.now, unreadable)
  const removed = createRemovedJobs(store, idempotency, {
    mayRestoreDeleted: fabric.mayRestoreDeleted,
    now: clock.now,
    log,
  })
  const open = createOpenJobs(limits, large)
  const runs = createRunningJobs(limits.jobLeaseMs)
  const refused = createRefusedJobs(fabric, clock, log, unreadable)
  const shared = { ...parts, store, queue, push, open, runs, refused, starts }

  const desk = createJobDesk({
    ...shared,
    idempotency,
    removed,
    unpollableMs,
    unattended: createUnattendedJobs(parts, push),
  })

  return {
    desk,
    run: (answer) =>
      createJobRunner({
        ...shared,
        answer,
        wait: (key, exchange) => desk.wait(key, exchange),
        ended: createEndedJobs(fabric, open, createKeptJobs(limits), removed),
        homeOf: ({ session, home }) => (session === undefined ? home : parts.finder.homeOf(session, home)),
      }),
  }
}
