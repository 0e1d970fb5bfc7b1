import { within } from '@junctor/primitives'
import type { Fabric, Queue } from '@junctor/contracts'
import type { Handler } from '@junctor/exchange'
import type { GatewayLimits } from '../shared/limits.ts'
import type { EndedJobs } from './ended-jobs.ts'
import { handlerOfJob } from './handler-of-job.ts'
import { isRefused } from './is-refused.ts'
import type { JobDelivery } from './job-delivery.ts'
import type { JobRuns } from './job-runs.ts'
import type { JobStore } from './job-store.ts'
import { JobWorker } from './job-worker.ts'
import { createMissedJobs } from './missed-jobs.ts'
import type { OpenJobs } from './open-jobs.ts'
import type { RefusedJobs } from './refused-jobs.ts'
import type { RunParts } from './run-parts.ts'
import type { TakeParts } from './take-job.ts'
import { takeJob } from './take-job.ts'

/** Runs jobs of all nodes, at this one. */
export interface JobRunner {
  /** Whether any job is run by this node. */
  readonly isRunning: boolean
  /** Whether nothing is run, and nothing was found in the queue for a while. */
  readonly isAtRest: boolean
  /** Looks after jobs that came to this node and of which nothing was heard, and forgets those past their time. */
  sweep(): void
  /** Begins no more jobs. Resolves when those that this node runs are over. */
  drain(): Promise<void>
  /** Gives back the jobs that this node runs. */
  close(): Promise<void>
}

/** What a runner stands on. */
export interface RunnerParts extends Omit<RunParts, 'handlerOf'>, Pick<TakeParts, 'homeOf'> {
  readonly fabric: Pick<Fabric, 'node' | 'now' | 'call'>
  readonly queue: Pick<Queue<string>, 'take'>
  /** Puts the item of a job where workers find it. */
  readonly push: (key: string) => Promise<void>
  readonly store: JobStore
  readonly deliveries: JobDelivery
  readonly open: OpenJobs
  readonly runs: JobRuns
  readonly refused: RefusedJobs
  readonly ended: EndedJobs
  readonly limits: GatewayLimits
  /** Answers requests of sessions at home here, and of callers without one. */
  readonly answer: Handler
}

/** For answers of jobs that are over to reach their sessions when this node goes away, in milliseconds. */
const leaveMs = 1_000

export function createJobRunner(parts: RunnerParts): JobRunner {
  const { fabric, queue, deliveries, open, runs, refused, ended, limits, clock, log } = parts
  const taking: TakeParts = {
    ...parts,
    node: fabric.node,
    own: (key) => open.take(key),
    isRefused: (key, record) => isRefused(parts, key, record),
    handlerOf: (record) => handlerOfJob(fabric, parts.answer, record),
  }
  const worker = new JobWorker({
    queue,
    runs,
    jobsRunning: limits.jobsRunning,
    take: (lease, closing) => takeJob(taking, lease, closing),
    ended: (key, record) => ended.add(key, record),
    clock,
    log,
  })
  const missed = createMissedJobs(parts, open, parts.push)

  return {
    get isRunning() {
      return runs.size > 0
    },
    get isAtRest() {
      return open.size === 0 && worker.isAtRest
    },
    sweep() {
      missed.sweep()
      ended.sweep()
    },
    drain: () => worker.drain(),
    async close() {
      refused.close()
      const closed = worker.close()
      await within(closed, leaveMs).catch(() => {})
      deliveries.close()
      await closed
    },
  }
}
