import type { JobRecord } from '../record/job-record.ts'
import type { Submitted } from '../record/submission.ts'
import type { OpenJobs } from '../store/open-jobs.ts'

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
  /** Those that are not stored yet, by session and id of the request. */
  const underWay = new Map<string, Promise<Submitted>>()

  return {
    async submit(record, first) {
      const name = `${record.session} ${record.request.id}`
      const job = open.ofSameRequest(record)
      if (job !== undefined && isSameRequest(job, record) && answersBoth(job, record)) {
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
 */
export function answersBoth(first: JobRecord, { session, request, batch }: JobRecord): boolean {
  return first.kind === 'queued' && first.session === session && first.request.id === request.id && batch === undefined
}

function isSameRequest({ idempotencyKey, request }: JobRecord, other: JobRecord): boolean {
  const { method, params } = other.request
  return idempotencyKey === other.idempotencyKey && request.method === method && request.params === params
}
