import type { Fabric, Log } from '@junctor/contracts'
import type { IdempotencyKeys } from './idempotency.ts'
import { keyOf } from '../record/job-record.ts'
import type { JobStore } from './job-store.ts'
import type { KeptJob } from './kept-jobs.ts'

/**
 * How long the mark of a removed job stays in storage, in milliseconds. By then, NATS servers have written earlier
 * removals to disk, which they do every two minutes by default.
 */
const settledMs = 5 * 60_000

/** Removes ended jobs before the end of their time to live. */
export interface RemovedJobs {
  /** Removes a job. If the fabric does not answer, the job stays until the longest time to live is over. */
  add(job: Pick<KeptJob, 'id' | 'owner' | 'idempotencyKey'>): void
  /** Clears the marks of jobs that were removed long ago. */
  sweep(): void
}

/** @param idempotency releases the keys of removed jobs */
export function createRemovedJobs(
  store: Pick<JobStore, 'forget' | 'clear'>,
  idempotency: Pick<IdempotencyKeys, 'release'>,
  {
    mayRestoreDeleted,
    now,
    log,
  }: { readonly mayRestoreDeleted: Fabric['mayRestoreDeleted']; readonly now: () => number; readonly log: Log },
): RemovedJobs {
  /** When each job was marked as removed, oldest first. */
  const times = new Map<string, number>()

  const attempt = (work: Promise<unknown>): void => {
    work.catch((error: unknown) => log.debug('a job could not be removed', { error }))
  }

  return {
    add(job) {
      const key = keyOf(job)
      times.delete(key)
      if (mayRestoreDeleted) times.set(key, now())
      attempt(store.forget(key))
      if (job.idempotencyKey !== undefined) attempt(idempotency.release(job, job.idempotencyKey))
    },
    sweep() {
      const until = now() - settledMs
      for (const [key, at] of times) {
        if (at > until) return
        times.delete(key)
        attempt(store.clear(key))
      }
    },
  }
}
