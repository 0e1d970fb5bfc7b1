import type { Fabric, Store } from '@junctor/exchange'
import type { JobRecord } from './job-record.ts'
import { isPast, readJobRecord } from './job-record.ts'
import type { JobChange, JobTransition } from './job-transition.ts'
import { jobTransition } from './job-transition.ts'

/** A record and the revision that its next write names. */
export interface StoredJob {
  readonly record: JobRecord
  readonly revision: number
}

/** What became of a change: it is stored, or why it is not. */
export type Changed =
  | { readonly kind: 'moved'; readonly job: StoredJob }
  | { readonly kind: Exclude<JobTransition['kind'], 'moved'>; readonly job: StoredJob }
  | { readonly kind: 'unknown' }

/** The records of jobs, as all nodes share them. Rejects when the fabric does. */
export interface JobStore {
  create(key: string, record: JobRecord): Promise<StoredJob>
  /** `undefined` when it is unknown, or past its time. */
  read(key: string): Promise<StoredJob | undefined>
  /** Writes what the change makes of the job. @param known what the caller believes it to be, to save a read */
  change(key: string, change: JobChange, known?: StoredJob): Promise<Changed>
  /** Ends a job that nobody has touched since: nobody will run it. False: somebody has. */
  withdraw(key: string, untouched: StoredJob, change: Extract<JobChange, { kind: 'cancel' }>): Promise<boolean>
  delete(key: string): Promise<void>
  /** All of one owner that are there, in no order. */
  ofOwner(owner: string): Promise<readonly JobRecord[]>
}

/** @param keepMs the longest time to live of any job, in milliseconds: what nobody deletes is gone after it */
export function createJobStore(fabric: Fabric, keepMs: number, now: () => number): JobStore {
  const store: Store<JobRecord> = fabric.store<JobRecord>('jobs', keepMs)

  const read = async (key: string): Promise<StoredJob | undefined> => {
    const stored = await store.get(key)
    const record = readJobRecord(stored?.value)
    return stored === undefined || record === undefined ? undefined : { record, revision: stored.revision }
  }

  const readable = async (key: string): Promise<StoredJob | undefined> => {
    const job = await read(key)
    return job === undefined || isPast(job.record, now()) ? undefined : job
  }

  return {
    async create(key, record) {
      const revision = await store.put(key, record, 0)
      if (revision === 'conflict') throw new Error('the id of a new job is taken')
      return { record, revision }
    },
    read: readable,
    async change(key, change, known) {
      let job = known ?? (await read(key))
      while (job !== undefined) {
        const transition = jobTransition(job.record, change)
        if (transition.kind !== 'moved') return { kind: transition.kind, job }
        const { record } = transition
        const revision = await store.put(key, record, job.revision)
        if (revision !== 'conflict') return { kind: 'moved', job: { record, revision } }
        job = await read(key)
      }
      return { kind: 'unknown' }
    },
    async withdraw(key, { record, revision }, change) {
      const transition = jobTransition(record, change)
      const withdrawn = transition.kind === 'moved' ? transition.record : record
      return (await store.put(key, withdrawn, revision)) !== 'conflict'
    },
    delete: (key) => store.delete(key),
    async ofOwner(owner) {
      const keys = await store.keys(`${owner}.`)
      const jobs = await Promise.all(keys.map(readable))
      return jobs.flatMap((job) => (job === undefined ? [] : [job.record]))
    },
  }
}
