import type { Fabric, Emit } from '@junctor/contracts'
import type { GatewayLimits } from '../../shared/limits.ts'
import { enqueueJob, type EnqueueParts, submitMs, unstored } from './enqueue-job.ts'
import type { IdempotencyKeys } from '../store/idempotency.ts'
import { reportsStart, jobSubmitted } from '../record/job-events.ts'
import { createJobIds } from '../record/job-ids.ts'
import { isFinal, isPollable, type JobRecord, keyOf } from '../record/job-record.ts'
import type { JobStore } from '../store/job-store.ts'
import type { OpenJobs } from '../store/open-jobs.ts'
import { newJobRecord, type Submission, type Submitted } from '../record/submission.ts'
import { answersBoth, createOpenRepeats } from './open-repeats.ts'

/** Accepts or refuses requests as jobs. */
export interface JobIntake {
  /** Resolves when the fabric has stored the job. Never rejects. */
  submit(submission: Submission): Promise<Submitted>
  /** Accepts no more jobs, because no other node could run them. */
  refuseMore(): void
}

/** What accepting jobs needs. */
export interface IntakeParts extends EnqueueParts {
  readonly fabric: Pick<Fabric, 'node'>
  readonly store: Pick<JobStore, 'create' | 'withdraw' | 'find' | 'forget' | 'read'>
  readonly open: OpenJobs
  readonly idempotency: IdempotencyKeys
  readonly limits: Pick<GatewayLimits, 'jobTtlMs' | 'jobCharacters'>
  /** How long jobs that cannot be polled may take, in milliseconds. */
  readonly unpollableMs: () => number
  readonly emit: Emit
}

/**
 * Creates the intake, which is open until `refuseMore` is called. It refuses requests that are longer than
 * `limits.jobCharacters`, and those for which there is no room.
 */
export function createJobIntake(parts: IntakeParts): JobIntake {
  const { open, limits, clock } = parts
  const nextId = createJobIds()
  const repeats = createOpenRepeats(open)
  let refusesMore = false

  const newRecord = (submission: Submission): JobRecord => {
    const canBePolled = isPollable(submission)
    const longestMs = canBePolled ? limits.jobTtlMs : parts.unpollableMs()
    return newJobRecord(submission, nextId(canBePolled), parts.fabric.node, longestMs, clock.now())
  }

  /** Counts the job as open, or refuses it. */
  const enter = (key: string, record: JobRecord, submission: Submission): Submitted | undefined => {
    const { params = '', options = '' } = record.request
    if (params.length + options.length > limits.jobCharacters) {
      const message = `Expects params and options of at most ${limits.jobCharacters} characters`
      return { kind: 'refused', situation: 'too_large', details: { message } }
    }
    const situation = refusesMore ? 'overloaded' : open.add(key, record, submission)
    return situation && { kind: 'refused', situation }
  }

  const accept = async (record: JobRecord, submission: Submission): Promise<Submitted> => {
    const key = keyOf(record)
    const refused = enter(key, record, submission)
    if (refused !== undefined) return refused
    const { idempotencyKey, repeats: first } = record
    if (idempotencyKey !== undefined && first === undefined) {
      const found = await earlier(parts, record, idempotencyKey).catch((error: unknown) => unstored(parts.log, error))
      if (found !== undefined) {
        open.delete(key)
        return found.kind === 'known' ? acceptRepeat(found.record, submission) : found
      }
    }
    const submitted = await enqueueJob(parts, key, record, submission)
    if (submitted.kind === 'stored' && reportsStart(record)) parts.emit(jobSubmitted(record))
    return submitted
  }

  /** A promised answer must not depend on this node, so a repeat becomes a job of its own, unless the first one answers it. */
  const acceptRepeat = async (first: JobRecord, submission: Submission): Promise<Submitted> => {
    const known: Submitted = { kind: 'known', record: first }
    const record = newRecord({ ...submission, repeats: first.id })
    if (record.kind !== 'queued' || (!isFinal(first.state) && answersBoth(first, record))) return known
    const submitted = await accept(record, submission)
    return submitted.kind === 'refused' ? submitted : known
  }

  return {
    submit(submission) {
      const record = newRecord(submission)
      const first = (): Promise<Submitted> => accept(record, submission)
      return record.idempotencyKey === undefined ? first() : repeats.submit(record, first)
    },
    refuseMore: () => void (refusesMore = true),
  }
}

/** The job of an earlier request with the same key. `undefined`: there is none, and the key belongs to this job now. */
async function earlier(
  { store, idempotency, clock }: IntakeParts,
  record: JobRecord,
  name: string,
): Promise<Submitted | undefined> {
  const claim = await idempotency.claim(record, name)
  if (claim.kind === 'claimed') return undefined
  if (claim.kind === 'conflict') return { kind: 'refused', situation: 'idempotency_conflict' }
  const known = await store.read(keyOf({ owner: record.owner, id: claim.job }))
  if (known !== undefined) return { kind: 'known', record: known.record }
  // The earlier request was not stored, or is being stored, which takes no longer than the timeout of a submission.
  if (clock.now() - claim.at < 2 * submitMs) return { kind: 'refused', situation: 'overloaded' }
  return (await idempotency.reassign(record, name, claim)) ? undefined : { kind: 'refused', situation: 'overloaded' }
}
