import type { Fabric, UnreadableReporter } from '@junctor/contracts'
import { isPast, type JobRecord } from '../record/job-record.ts'
import { type JobChange, type JobTransition, jobTransition } from '../record/job-transition.ts'
import {
  createStoredRecords,
  type Found,
  type KeepMs,
  type StoredJob,
  type StoredRecords,
  unstoredRevision,
} from './stored-records.ts'

/** The result of a change: the stored job, or why the change was not made. */
export type Changed =
  | { readonly kind: 'moved'; readonly job: StoredJob }
  | { readonly kind: Exclude<JobTransition['kind'], 'moved'>; readonly job: StoredJob }
  | { readonly kind: 'unknown' }

/** The jobs in the storage that all nodes share. Rejects when the fabric rejects. */
export interface JobStore {
  create(key: string, record: JobRecord): Promise<StoredJob>
  /** `undefined`: the job is unknown, was removed, or its time to live is over. */
  read(key: string): Promise<StoredJob | undefined>
  /** Everything that is stored of a job, also after its time to live. */
  find(key: string): Promise<Found>
  /** The job of a queue item, unless something newer is stored. `undefined`: it has ended. */
  ofItem(key: string, record: JobRecord): Promise<StoredJob | undefined>
  /** Applies a change to a job and writes it. @param known the job as the caller knows it, to save a read */
  change(key: string, change: JobChange, known: StoredJob): Promise<Changed>
  /**
   * Removes a job that was not changed since, permanently, so that it is never run. Returns false when it was changed.
   */
  withdraw(key: string, untouched: StoredJob): Promise<boolean>
  /** Removes an ended job that cannot be polled, permanently, unless another node has started it meanwhile. */
  bury(key: string, known: StoredJob): Promise<void>
  /** Removes an ended job permanently. */
  forget(key: string): Promise<void>
  /** Clears the mark of a job that was removed long ago. */
  clear(key: string): Promise<void>
  /** All jobs of one owner that can be polled, in no particular order. */
  ofOwner(owner: string): Promise<readonly JobRecord[]>
}

/**
 * Creates the store of jobs on that of their records.
 *
 * @param moved called with each change that this node has written
 */
export function createJobStore(
  fabric: Pick<Fabric, 'store' | 'mayRestoreDeleted'>,
  keepMs: KeepMs,
  now: () => number,
  unreadable: UnreadableReporter,
  moved: (record: JobRecord, change: JobChange) => void,
): JobStore {
  const records = createStoredRecords(fabric, keepMs, unreadable)

  const read = async (key: string): Promise<StoredJob | undefined> => {
    const job = await records.get(key)
    return job === undefined || isPast(job.record, now()) ? undefined : job
  }

  return {
    async create(key, record) {
      const revision = await records.put(key, record, 0)
      if (revision === 'conflict') throw new Error('the id of a new job is taken')
      return { record, revision }
    },
    read,
    find: (key) => records.find(key),
    async ofItem(key, record) {
      const found = await records.find(key)
      if (found.kind === 'job') return found.job
      // A fabric that restores a deleted item may restore it after the end of its job.
      return found.kind === 'over' && fabric.mayRestoreDeleted ? undefined : { record, revision: unstoredRevision }
    },
    async change(key, change, known) {
      const changed = await written(records, key, change, known)
      if (changed.kind === 'moved') moved(changed.job.record, change)
      return changed
    },
    withdraw: (key, { revision }) => records.end(key, revision),
    async bury(key, known) {
      // A record that was never written need not be removed: the item is marked as done.
      if (known.revision === unstoredRevision) return
      const { fence } = known.record
      let job: StoredJob | undefined = known
      while (job !== undefined && job.record.fence <= fence) {
        if (await records.end(key, job.revision)) return
        job = await records.get(key)
      }
    },
    forget: (key) => records.forget(key),
    clear: (key) => records.delete(key),
    async ofOwner(owner) {
      const jobs = await Promise.all((await records.keysOf(owner)).map(read))
      return jobs.flatMap((job) => (job === undefined ? [] : [job.record]))
    },
  }
}

/** Applies a change, again until no other node has written in between. */
async function written(records: StoredRecords, key: string, change: JobChange, known: StoredJob): Promise<Changed> {
  let job: StoredJob | undefined = known
  while (job !== undefined) {
    const transition = jobTransition(job.record, change)
    if (transition.kind !== 'moved') return { kind: transition.kind, job }
    const { record } = transition
    const revision = await records.put(key, record, job.revision)
    if (revision !== 'conflict') return { kind: 'moved', job: { record, revision } }
    job = await records.get(key)
  }
  return { kind: 'unknown' }
}
