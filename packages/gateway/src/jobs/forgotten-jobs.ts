import type { Fabric, Log } from '@junctor/contracts'
import type { IdempotencyKeys } from './idempotency.ts'
import { keyOf } from './job-record.ts'
import type { JobStore } from './job-store.ts'
import type { KeptJob } from './kept-jobs.ts'

/**
 * How long it stays written that a job is forgotten, in milliseconds: by then NATS servers have on disk whatever was
 * removed before, which they do every two minutes by default.
 */
const settledMs = 5 * 60_000

/** What is forgotten of jobs that are over before its time. */
export interface ForgottenJobs {
  /** Nobody can ask for it any more. What the fabric does not take is gone at the end of the longest time. */
  add(job: Pick<KeptJob, 'id' | 'owner' | 'idempotencyKey'>): void
  /** Clears up what was forgotten long ago. */
  sweep(): void
}

export function createForgottenJobs(
  store: Pick<JobStore, 'forget' | 'clear'>,
  idempotency: Pick<IdempotencyKeys, 'release'>,
  {
    isForgetful,
    now,
    log,
  }: { readonly isForgetful: Fabric['isForgetful']; readonly now: () => number; readonly log: Log },
): ForgottenJobs {
  /** When it was written of each that it is forgotten, oldest first. */
  const times = new Map<string, number>()

  const attempt = (work: Promise<unknown>): void => {
    work.catch((error: unknown) => log.debug('a job could not be forgotten', { error }))
  }

  return {
    add(job) {
      const key = keyOf(job)
      times.delete(key)
      if (isForgetful) times.set(key, now())
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
