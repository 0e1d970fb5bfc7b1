import type { Lease, UnreadableReporter } from '@junctor/contracts'
import { type JobItem, type ReadJobItem, readJobItem } from '../record/job-item.ts'
import { type JobOutcome, outcomeOf } from '../record/job-outcome.ts'
import { type JobRecord, ownerIn } from '../record/job-record.ts'
import { JobRun } from './job-run.ts'
import type { Changed, JobStore } from '../store/job-store.ts'
import { failure } from '../record/job-verdict.ts'
import type { AcceptedJob } from '../store/open-jobs.ts'
import type { RunParts } from './run-parts.ts'
import type { StoredJob } from '../store/stored-records.ts'

/** What taking jobs from the queue needs. */
export interface TakeParts extends RunParts {
  readonly store: Pick<JobStore, 'change' | 'bury' | 'find' | 'ofItem'>
  /** This node. */
  readonly node: string
  /** Returns a job that this node accepted, which it need not read. */
  readonly own: (key: string) => AcceptedJob | undefined
  /** Whether the accepting node has refused the job, so that it must not be run. */
  readonly isRefused: (key: string, job: StoredJob) => boolean | Promise<boolean>
  /** Returns the current home node of a job's session, which may have moved. */
  readonly homeOf: (record: Pick<JobRecord, 'session' | 'home'>) => string | Promise<string>
  /** Called with items of the queue that this version cannot read. They are removed: no node can run them. */
  readonly unreadable: UnreadableReporter
}

/** The state of a taken job: whether it may run, or why not. */
type Taken = Exclude<Changed['kind'], 'unknown' | 'stale' | 'same'>

/** A job that this node has taken, with what to do about it. */
export interface TakenJob {
  readonly run: JobRun
  readonly taken: Taken
}

/**
 * Takes a job whose lease this node has. Returns `undefined` when there is nothing to do for it.
 *
 * @param closing aborts when this node takes no more jobs
 */
export async function takeJob(
  parts: TakeParts,
  lease: Lease<JobItem>,
  closing: AbortSignal,
): Promise<TakenJob | undefined> {
  const read = readJobItem(lease.value)
  if (read.kind === 'unreadable') {
    parts.unreadable('job_item', ownerIn(lease.id), read.problem)
    return undefined
  }
  const item = read.value
  const { key } = item
  const known = parts.own(key)
  const job = known?.stored ?? (await storedJob(parts, item))
  if (job === undefined || (await parts.isRefused(key, job))) return undefined
  const home = await parts.homeOf(job.record)
  // The search for a home that is gone takes time. Other nodes may start the job meanwhile.
  if (closing.aborted) {
    await lease.release()
    return undefined
  }
  const started = await start(parts, lease, key, job)
  if (started.kind === 'unknown' || started.kind === 'stale' || started.kind === 'same') return undefined
  const leased = { ...started.job, record: { ...started.job.record, home } }
  const run = new JobRun(parts, { lease, job: leased, submission: known?.submission, closing })
  return { run, taken: started.kind }
}

/** Runs a taken job, or ends it. A job that was cancelled while it was taken has ended. */
export function begin({ run, taken }: TakenJob): void {
  if (run.exchange.closed) return
  if (taken === 'moved') return run.start()
  if (taken === 'too_late') return run.exchange.end('deadline')
  const outcome = taken === 'final' ? outcomeIn(run.record) : failure('outcome_unknown', run.view).outcome
  run.exchange.settle(outcomeOf(outcome))
}

/** Also reads a job whose time to live is over, because its client must get an error. */
async function storedJob({ store }: TakeParts, { key, record }: ReadJobItem): Promise<StoredJob | undefined> {
  if (record !== undefined) return store.ofItem(key, record)
  const found = await store.find(key)
  return found.kind === 'job' ? found.job : undefined
}

async function start(
  { store, clock, node }: TakeParts,
  lease: Lease<JobItem>,
  key: string,
  job: StoredJob,
): Promise<Changed> {
  const change = { kind: 'start', fence: lease.fence, node, now: clock.now() } as const
  const started = await store.change(key, change, job)
  if (started.kind !== 'stale' || !(await lease.extend())) return started
  // The lease is valid, so the numbers of leases have started again, because their stream was lost.
  return store.change(key, { ...change, fence: started.job.record.fence + 1 }, started.job)
}

function outcomeIn({ outcome }: JobRecord): JobOutcome {
  return outcome ?? { error: { code: -32_603, message: 'Internal error' } }
}
