import type { JobRecord } from '../record/job-record.ts'
import { jobRequestDigest } from '../record/job-request.ts'
import type { Submitted } from '../record/submission.ts'
import { type OpenJobs, requestName } from '../store/open-jobs.ts'

/** Recognizes a request with a key that is sent again, under the same id, while its job is open at this node. */
export interface OpenRepeats {
  /**
   * Submits a request with a key. A repeat gets the result of the first one, also when that is still being stored.
   *
   * @param record of the request
   * @param first submits it as a first one
   */
  submit(record: JobRecord, first: () => Promise<Submitted>): Promise<Submitted>
}

/** @param open the jobs that this node accepted */
export function createOpenRepeats(open: Pick<OpenJobs, 'ofSameRequest'>): OpenRepeats {
  /** Those that are not stored yet, by the name of the request. */
  const underWay = new Map<string, Promise<Submitted>>()

  return {
    async submit(record, first) {
      const name = requestName(record)
      if (name === undefined) return first()
      const job = open.ofSameRequest(record)
      if (job !== undefined) {
        // Another request with the name is refused, and repeats are not its own.
        if (!isSameRequest(job, record) || !answersBoth(job, record)) return first()
        const submitted = await underWay.get(name)
        return submitted?.kind === 'refused' ? submitted : { kind: 'known', record: job }
      }
      const submitting = first()
      underWay.set(name, submitting)
      try {
        return await submitting
      } finally {
        if (underWay.get(name) === submitting) underWay.delete(name)
      }
    },
  }
}

/**
 * Whether the answer of a job is that of a repeated request too: it goes to the same stream, under the same id. A batch needs
 * answers of its own.
 *
 * @param record of a request whose answer goes to a stream
 */
export function answersBoth(first: JobRecord, record: JobRecord): boolean {
  return record.batch === undefined && requestName(first) === requestName(record)
}

function isSameRequest({ idempotencyKey, request }: JobRecord, other: JobRecord): boolean {
  return idempotencyKey === other.idempotencyKey && jobRequestDigest(request) === jobRequestDigest(other.request)
}
