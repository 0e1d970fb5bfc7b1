import { isNotStored, type Log } from '@junctor/contracts'
import { errorOf } from '@junctor/primitives'
import { JunctorError } from '@junctor/protocol'
import type { Clock } from '../../shared/clock.ts'
import { pause } from '../../shared/pause.ts'
import type { RemovedJobs } from '../store/removed-jobs.ts'
import { isPollable, type JobRecord } from '../record/job-record.ts'
import type { JobStore } from '../store/job-store.ts'
import type { OpenJobs } from '../store/open-jobs.ts'
import type { DirectStarts, Starter } from '../run/direct-starts.ts'
import type { RefusedJobs } from '../store/refused-jobs.ts'
import type { StoredJob } from '../store/stored-records.ts'
import type { Submission, Submitted } from '../record/submission.ts'

/** Timeout of a submission, in milliseconds. After that, a repeat of the request may get its key. */
export const submitMs = 10_000

/**
 * How long the client of a failed submission waits for the removal of its job, in milliseconds: it has waited for the
 * queue already.
 */
const withdrawMs = 500

/** Of the params and options of a request that is held: more must not be stored twice. */
const heldCharacters = 65_536

/** What is needed to put jobs into the queue. */
export interface EnqueueParts {
  readonly store: Pick<JobStore, 'create' | 'withdraw' | 'find' | 'forget'>
  /** Puts the item where all nodes find it. */
  readonly push: (key: string) => Promise<void>
  readonly open: Pick<OpenJobs, 'stored' | 'delete'>
  readonly removed: Pick<RemovedJobs, 'add'>
  readonly refused: Pick<RefusedJobs, 'add'>
  readonly starts: Pick<DirectStarts, 'starter'>
  readonly clock: Pick<Clock, 'now'>
  readonly log: Log
}

/** Stores a job, and runs it here or puts it into the queue. Never rejects: a job that cannot be stored is refused. */
export function enqueueJob(
  parts: EnqueueParts,
  key: string,
  record: JobRecord,
  submission: Submission,
): Promise<Submitted> {
  const starter = isHeld(record) ? parts.starts.starter : undefined
  return starter === undefined ? queue(parts, key, record) : startHere(parts, starter, key, record, submission)
}

/**
 * Whether only the node that runs the job has to find it, so that its item may be stored again if that node is lost.
 */
function isHeld(record: JobRecord): boolean {
  const { params = '', options = '' } = record.request
  return !isPollable(record) && params.length + options.length <= heldCharacters
}

async function startHere(
  { store, open, refused, log }: EnqueueParts,
  starter: Starter,
  key: string,
  record: JobRecord,
  submission: Submission,
): Promise<Submitted> {
  const started = await starter.start(record, submission)
  if (started.kind === 'stored') return { kind: 'stored', record }
  open.delete(key)
  // If the job exists nevertheless, it must not be run, because its client may send it again.
  if (started.kind === 'unknown') refused.add(key, record, () => store.forget(key))
  return unstored(log, started.error)
}

async function queue(parts: EnqueueParts, key: string, record: JobRecord): Promise<Submitted> {
  const { store, push, open, clock } = parts
  let job: StoredJob
  try {
    job = await store.create(key, record)
  } catch (error) {
    // If the record exists nevertheless, it is never run, because it is not in the queue.
    drop(parts, key, record)
    return unstored(parts.log, error)
  }
  open.stored(key, job)
  const isSlow = clock.now() - record.createdAt >= submitMs
  const problem = isSlow
    ? new JunctorError('FABRIC_UNAVAILABLE', 'storage is too slow')
    : await problemOfPush(push, key)
  if (problem === undefined) return { kind: 'stored', record }
  const withdrawn = await withdraw(parts, key, job)
  if (withdrawn === 'started') return { kind: 'stored', record }
  const refusal = unstored(parts.log, problem)
  // A repeat of a request with a key is the same job.
  const isUnsure = withdrawn === 'unsure' && !isNotStored(problem) && !isSlow && record.idempotencyKey === undefined
  return isUnsure ? { kind: 'refused', situation: 'outcome_unknown', details: { message: unsureMessage } } : refusal
}

/** Puts the item of a job into the queue. Returns why that failed; `undefined`: it did not. */
async function problemOfPush(push: EnqueueParts['push'], key: string): Promise<Error | undefined> {
  try {
    await push(key)
    return undefined
  } catch (error) {
    return errorOf(error)
  }
}

/** For a job that may be in the queue, and that could not be withdrawn: a node may have started it before it was refused. */
const unsureMessage = 'The storage did not answer: whether the request was accepted is unknown'

/** The answer to a submission when the storage fails. */
export function unstored(log: Log, error: unknown): Submitted {
  log.error('a job could not be stored', { error })
  return { kind: 'refused', situation: 'fabric_unavailable' }
}

/**
 * Withdraws a job that may be in the queue: from now on, no node starts it. `started`: it was in the queue, and a node has
 * started it. `unsure`: the storage does not say whether one has.
 */
async function withdraw(parts: EnqueueParts, key: string, job: StoredJob): Promise<'withdrawn' | 'started' | 'unsure'> {
  const { store, open, refused, removed } = parts
  const { record } = job
  try {
    const late = pause(withdrawMs).then(() => Promise.reject(new Error('storage does not answer')))
    if (!(await Promise.race([store.withdraw(key, job), late]))) return 'started'
    drop(parts, key, record)
    return 'withdrawn'
  } catch {
    open.delete(key)
    refused.add(key, record, async () => {
      // An earlier attempt may have taken effect without an answer.
      if ((await store.withdraw(key, job)) || (await store.find(key)).kind === 'over') removed.add(record)
    })
    return 'unsure'
  }
}

function drop({ open, removed }: EnqueueParts, key: string, record: JobRecord): void {
  open.delete(key)
  removed.add(record)
}
