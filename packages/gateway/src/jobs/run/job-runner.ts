import { settlesWithin } from '@junctor/primitives'
import type { Fabric, Queue } from '@junctor/contracts'
import type { GatewayLimits } from '../../shared/limits.ts'
import type { EndedJobs } from './ended-jobs.ts'
import { handlerOfJob, type HandlerOfJobParts } from './handler-of-job.ts'
import { handlerOfRepeat, type RepeatParts } from './handler-of-repeat.ts'
import { isRefused } from '../store/is-refused.ts'
import type { JobDelivery } from '../delivery/job-delivery.ts'
import type { JobItem } from '../record/job-item.ts'
import type { RunningJobs } from './running-jobs.ts'
import type { JobStore } from '../store/job-store.ts'
import { JobTaker } from './job-taker.ts'
import { createOverdueJobs } from './overdue-jobs.ts'
import type { OpenJobs } from '../store/open-jobs.ts'
import { holdJob } from './hold-job.ts'
import type { DirectStarts } from './direct-starts.ts'
import type { RefusedJobs } from '../store/refused-jobs.ts'
import type { RunParts } from './run-parts.ts'
import { takeJob, type TakeParts } from './take-job.ts'

/** Runs jobs of all nodes on this node. */
export interface JobRunner {
  /** Whether this node runs any job. */
  readonly isRunning: boolean
  /** Whether no job is running, and the queue was empty for a while. */
  readonly isAtRest: boolean
  /**
   * Checks jobs that this node accepted and that had no news for a while, and removes jobs whose time to live is over.
   */
  sweep(): void
  /** Starts no more jobs. Resolves when the running ones have ended. */
  drain(): Promise<void>
  /** Puts the running jobs back into the queue. */
  close(): Promise<void>
}

/** What a runner needs. */
export interface RunnerParts
  extends
    Omit<RunParts, 'handlerOf'>,
    Pick<TakeParts, 'homeOf' | 'unreadable'>,
    Pick<RepeatParts, 'wait'>,
    HandlerOfJobParts {
  readonly fabric: Pick<Fabric, 'node' | 'now' | 'call'>
  readonly queue: Pick<Queue<JobItem>, 'take' | 'hold'>
  /** Puts the item of a job where other nodes find it. Default: that its record is stored. */
  readonly push: (key: string, item?: JobItem) => Promise<void>
  readonly starts: Pick<DirectStarts, 'serve'>
  readonly store: JobStore
  readonly deliveries: JobDelivery
  readonly open: OpenJobs
  readonly runs: RunningJobs
  readonly refused: RefusedJobs
  readonly ended: EndedJobs
  readonly limits: GatewayLimits
}

/** How long the answers of ended jobs may take to reach their sessions when this node leaves, in milliseconds. */
const leaveMs = 1_000

/** Creates a runner, which takes at most `limits.jobsRunning` jobs at a time from the queue. */
export function createJobRunner(parts: RunnerParts): JobRunner {
  const { fabric, queue, deliveries, open, runs, refused, ended, limits, clock, log } = parts
  const taking: TakeParts = {
    ...parts,
    node: fabric.node,
    own: (key) => open.take(key),
    isRefused: (key, job) => isRefused(parts, key, job),
    handlerOf: (record) =>
      record.repeats === undefined ? handlerOfJob(parts, record) : handlerOfRepeat(parts, record, record.repeats),
  }
  const holding = { ...taking, queue, open }
  const taker = new JobTaker({
    queue,
    runs,
    jobsRunning: limits.jobsRunning,
    take: (lease, closing) => takeJob(taking, lease, closing),
    hold: (record, submission, closing) => holdJob(holding, record, submission, closing),
    ended: (key, record) => ended.add(key, record),
    clock,
    log,
  })
  parts.starts.serve(taker)
  const overdue = createOverdueJobs(parts, open, parts.push)

  return {
    get isRunning() {
      return runs.size > 0
    },
    get isAtRest() {
      return open.size === 0 && taker.isAtRest
    },
    sweep() {
      overdue.sweep()
      ended.sweep()
    },
    drain: () => taker.drain(),
    async close() {
      refused.close()
      const closed = taker.close()
      await settlesWithin(closed, leaveMs).catch(() => {})
      deliveries.close()
      await closed
    },
  }
}
