import type { Log } from '@junctor/contracts'
import type { Clock } from '../../shared/clock.ts'
import { isFinal, type JobRecord } from '../record/job-record.ts'

/**
 * A job counts as unattended when nothing was written of it for this long, in milliseconds: longer than a lost lease
 * lasts.
 */
const quietMs = 30_000

/** What the handling of unattended jobs needs. */
export interface UnattendedJobsParts {
  /** Whether a node is present, also while it cannot be reached for a moment. */
  readonly isPresent: (node: string) => Promise<boolean>
  readonly clock: Pick<Clock, 'now'>
  readonly log: Log
}

/** Requeues jobs whose accepting node is gone. */
export interface UnattendedJobs {
  /**
   * Called when a client asks for a job. If nothing was written of it for a while, and the node that accepted it is
   * gone, its item is pushed again, because killed servers may have lost it. If the item still exists, that has no
   * effect.
   */
  asked(key: string, record: JobRecord): void
  sweep(): void
}

/** @param push puts the item into the queue */
export function createUnattendedJobs(
  { isPresent, clock, log }: UnattendedJobsParts,
  push: (key: string) => Promise<void>,
): UnattendedJobs {
  /** When each job was checked last. */
  const times = new Map<string, number>()

  const requeueIfLeft = async (key: string, from: string): Promise<void> => {
    if (!(await isPresent(from))) await push(key)
  }

  return {
    asked(key, { state, from, updatedAt }) {
      const now = clock.now()
      if (isFinal(state) || now - updatedAt < quietMs || times.has(key)) return
      times.set(key, now)
      requeueIfLeft(key, from).catch((error: unknown) =>
        log.debug('a job whose node may have left could not be put back into the queue', { error }),
      )
    },
    sweep() {
      const until = clock.now() - quietMs
      for (const [key, at] of times) {
        if (at > until) return
        times.delete(key)
      }
    },
  }
}
