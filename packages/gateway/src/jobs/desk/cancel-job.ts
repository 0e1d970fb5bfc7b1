import type { Fabric } from '@junctor/contracts'
import { toJobControl } from '../record/job-control.ts'
import { isUnpollableKey } from '../record/job-ids.ts'
import type { JobRecord } from '../record/job-record.ts'
import type { RunningJobs } from '../run/running-jobs.ts'
import type { JobStore } from '../store/job-store.ts'
import { failure } from '../record/job-verdict.ts'
import { type ProfileOf, viewOf } from '../record/job-view.ts'

/** The result of a cancellation. */
export type Cancelled =
  | { readonly kind: 'cancelled'; readonly record: JobRecord }
  | { readonly kind: 'final'; readonly record: JobRecord }
  | { readonly kind: 'unknown' }

/** What cancelling needs. */
export interface CancelJobParts {
  readonly fabric: Pick<Fabric, 'now' | 'send'>
  readonly store: Pick<JobStore, 'read' | 'change'>
  readonly runs: Pick<RunningJobs, 'get' | 'cancel'>
  readonly profileOf: ProfileOf
}

/** Cancels a job on behalf of its caller, and ends its run on any node. Rejects when the fabric rejects. */
export async function cancelJob({ fabric, store, runs, profileOf }: CancelJobParts, key: string): Promise<Cancelled> {
  const read = await store.read(key)
  // No client reads the state of a job that cannot be polled: its end need not be stored.
  if (read === undefined && isUnpollableKey(key)) return cancelRun(runs, key)
  // Storage may have lost the record of what runs here. The answer is final, so the end is stored first.
  const job = read ?? runs.get(key)?.stored
  if (job === undefined) return { kind: 'unknown' }
  const { outcome } = failure('cancelled', viewOf(profileOf, job.record))
  const changed = await store.change(key, { kind: 'cancel', outcome, now: fabric.now() }, job)
  if (changed.kind === 'unknown') return changed
  const { record } = changed.job
  if (changed.kind !== 'moved') return { kind: 'final', record }
  const isHere = runs.cancel(key)
  if (!isHere && record.node !== undefined) {
    void fabric.send(record.node, toJobControl({ kind: 'job-cancel', key }))
  }
  return { kind: 'cancelled', record }
}

function cancelRun(runs: CancelJobParts['runs'], key: string): Cancelled {
  const run = runs.get(key)
  if (run === undefined) return { kind: 'unknown' }
  runs.cancel(key)
  return { kind: 'cancelled', record: run.record }
}
