import type { Fabric } from '@junctor/contracts'
import type { JobRecord } from './job-record.ts'
import { isPast } from './job-record.ts'
import type { JobChange, JobTransition } from './job-transition.ts'
import { jobTransition } from './job-transition.ts'
import type { Found, KeepMs, StoredJob, StoredRecords } from './stored-records.ts'
import { createStoredRecords } from './stored-records.ts'

/** What became of a change: it is stored, or why it is not. */
export type Changed =
  | { readonly kind: 'moved'; readonly job: StoredJob }
  | { readonly kind: Exclude<JobTransition['kind'], 'moved'>; readonly job: StoredJob }
  | { readonly kind: 'unknown' }

/** Hears of a change that this node has written. */
type ChangeListener = (record: JobRecord, change: JobChange) => void

/** The jobs as all nodes share them. Rejects when the fabric does. */
export interface JobStore {
  create(key: string, record: JobRecord): Promise<StoredJob>
  /** `undefined` when it is unknown, over and forgotten, or past its time. */
  read(key: string): Promise<StoredJob | undefined>
  /** All that is known of it, also past its time. */
  find(key: string): Promise<Found>
  /** Writes what the change makes of the job. @param known what the caller believes it to be, to save a read */
  change(key: string, change: JobChange, known?: StoredJob): Promise<Changed>
  /** From now on this hears of each change that {@link change} has written. */
  onChange(listener: ChangeListener): void
  /** Ends a job that nobody has touched since: nobody will run it. False: somebody has. */
  withdraw(key: string, untouched: StoredJob, change: Extract<JobChange, { kind: 'cancel' }>): Promise<boolean>
  /** Removes a job that is over and that nobody can ask for, for good, unless somebody has begun with it since. */
  bury(key: string, known: StoredJob): Promise<void>
  /** Removes a job that is over, for good. */
  forget(key: string): Promise<void>
  /** Clears up what says that it is forgotten: when that is long ago. */
  clear(key: string): Promise<void>
  /** All of one owner that somebody can ask for, in no order. */
  ofOwner(owner: string): Promise<readonly JobRecord[]>
}

export function createJobStore(
  fabric: Pick<Fabric, 'store' | 'isForgetful'>,
  keepMs: KeepMs,
  now: () => number,
): JobStore {
  const records = createStoredRecords(fabric, keepMs)
  const listeners: ChangeListener[] = []

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
    async change(key, change, known) {
      const changed = await written(records, key, change, known)
      if (changed.kind === 'moved') for (const hear of listeners) hear(changed.job.record, change)
      return changed
    },
    onChange: (listener) => void listeners.push(listener),
    async withdraw(key, { record, revision }, change) {
      const transition = jobTransition(record, change)
      const withdrawn = transition.kind === 'moved' ? transition.record : record
      return (await records.put(key, withdrawn, revision)) !== 'conflict'
    },
    async bury(key, known) {
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

/** Until nobody else has written in between. */
async function written(
  records: StoredRecords,
  key: string,
  change: JobChange,
  known: StoredJob | undefined,
): Promise<Changed> {
  let job = known ?? (await records.get(key))
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
