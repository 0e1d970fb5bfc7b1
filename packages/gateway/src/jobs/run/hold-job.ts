import type { Held, Queue } from '@junctor/contracts'
import type { JobItem } from '../record/job-item.ts'
import { type JobRecord, keyOf, runningOn } from '../record/job-record.ts'
import { JobRun } from './job-run.ts'
import type { OpenJobs } from '../store/open-jobs.ts'
import type { StartResult } from './direct-starts.ts'
import type { RunParts } from './run-parts.ts'
import { unstoredRevision } from '../store/stored-records.ts'
import type { Submission } from '../record/submission.ts'

/** The result of storing a job that is to run on this node. */
export type HoldResult = { readonly kind: 'lent'; readonly run: JobRun } | StartResult

/** The queue that holds the item of a job, and the jobs of this node that only the queue knows. */
export interface HoldParts extends RunParts {
  readonly queue: Pick<Queue<JobItem>, 'hold'>
  readonly open: Pick<OpenJobs, 'held'>
  /** The id of this node. */
  readonly node: string
}

/**
 * Stores a job as a queue item only, whose lease this node has from the start. That saves a write to the store for a job
 * that this node runs itself. Never rejects.
 *
 * @param closing aborts when this node starts no more jobs: a stored job then goes to the queue
 */
export async function holdJob(
  parts: HoldParts,
  submitted: JobRecord,
  submission: Submission,
  closing: AbortSignal,
): Promise<HoldResult> {
  const { queue, open, node } = parts
  const key = keyOf(submitted)
  // If this node is lost, the job counts as one that may have run.
  const record = runningOn(submitted, node)
  let held: Held<JobItem>
  try {
    held = await queue.hold(key, record)
  } catch (error) {
    return { kind: 'failed', error }
  }
  if (held.kind === 'unknown') return held
  open.held(key, record)
  if (held.kind === 'lent' && !closing.aborted) {
    const job = { record, revision: unstoredRevision }
    return { kind: 'lent', run: new JobRun(parts, { lease: held.lease, job, submission, closing }) }
  }
  await recordNotRun(parts, key, record, held.kind === 'lent' ? held.lease.fence : record.fence)
  if (held.kind === 'lent') await held.lease.release()
  return { kind: 'stored' }
}

/** Records that a job has not run: otherwise it would count as one that may have run. */
async function recordNotRun(
  { store, clock, log }: HoldParts,
  key: string,
  record: JobRecord,
  fence: number,
): Promise<void> {
  const change = { kind: 'put_back', fence, mayHaveRun: false, now: clock.now() } as const
  try {
    await store.change(key, change, { record, revision: unstoredRevision })
  } catch (error) {
    log.warn('it could not be written that a job has not run', { error })
  }
}
