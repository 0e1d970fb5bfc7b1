import type { Fabric } from '@junctor/contracts'
import type { RemovedJobs } from '../store/removed-jobs.ts'
import { toJobControl } from '../record/job-control.ts'
import { isPollable, type JobRecord } from '../record/job-record.ts'
import { ranNothing } from '../record/job-retry.ts'
import type { KeptJobs } from '../store/kept-jobs.ts'
import type { OpenJobs } from '../store/open-jobs.ts'

/** Handles jobs that have ended on this node. */
export interface EndedJobs {
  add(key: string, record: JobRecord): void
  /** Removes jobs whose time to live is over. */
  sweep(): void
}

/** Notifies the node that accepted a job of its end. Removes the oldest results when there are too many. */
export function createEndedJobs(
  fabric: Pick<Fabric, 'node' | 'now' | 'send'>,
  open: Pick<OpenJobs, 'delete'>,
  kept: KeptJobs,
  removed: Pick<RemovedJobs, 'add'>,
): EndedJobs {
  return {
    add(key, record) {
      // Its key is free then: the request may be sent again.
      if (isPollable(record)) for (const job of ranNothing(record) ? [record] : kept.add(record)) removed.add(job)
      if (record.from === fabric.node) open.delete(key)
      else void fabric.send(record.from, toJobControl({ kind: 'job-ended', key }))
    },
    sweep() {
      for (const job of kept.sweep(fabric.now())) removed.add(job)
    },
  }
}
