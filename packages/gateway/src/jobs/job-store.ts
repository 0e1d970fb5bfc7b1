import type { Fabric, Store } from '@junctor/contracts'
import { isPassing } from './job-ids.ts'
import type { JobRecord } from './job-record.ts'
import { isPast, readJobRecord } from './job-record.ts'
import type { JobChange, JobTransition } from './job-transition.ts'
import { jobTransition } from './job-transition.ts'

/** A record and the revision that its next write names. */
export interface StoredJob {
  readonly record: JobRecord
  readonly revision: number
}

/**
 * What stands in place of a job that is over and that nobody can ask for any more, where storage is forgetful: a server
 * that is killed may forget what was deleted, and have what was there before. For whoever reads a record it is none.
 */
type Tombstone = { readonly over: true }

const tombstone: Tombstone = { over: true }

/** What became of a change: it is stored, or why it is not. */
export type Changed =
  | { readonly kind: 'moved'; readonly job: StoredJob }
  | { readonly kind: Exclude<JobTransition['kind'], 'moved'>; readonly job: StoredJob }
  | { readonly kind: 'unknown' }

/** What is stored of a job. */
export type Found =
  | { readonly kind: 'job'; readonly job: StoredJob }
  /** It is over, and forgotten. */
  | { readonly kind: 'over' }
  | { readonly kind: 'nothing' }

/** How long each of both kinds of records is kept, in milliseconds. */
export interface KeepMs {
  /** Those that somebody can ask for: the longest time to live of any. */
  readonly kept: number
  /** Those that nobody can ask for. */
  readonly passing: number
}

/** The records of jobs, as all nodes share them. Rejects when the fabric does. */
export interface JobStore {
  create(key: string, record: JobRecord): Promise<StoredJob>
  /** `undefined` when it is unknown, over and forgotten, or past its time. */
  read(key: string): Promise<StoredJob | undefined>
  /** All that is known of it, also past its time. */
  find(key: string): Promise<Found>
  /** Writes what the change makes of the job. @param known what the caller believes it to be, to save a read */
  change(key: string, change: JobChange, known?: StoredJob): Promise<Changed>
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
  const kept = fabric.store<JobRecord | Tombstone>('jobs', keepMs.kept)
  const passing = fabric.store<JobRecord | Tombstone>('passing', keepMs.passing)
  const storeOf = (key: string): Store<JobRecord | Tombstone> => (isPassing(key) ? passing : kept)

  const find = async (key: string): Promise<Found> => {
    const stored = await storeOf(key).get(key)
    // Nothing is lost where nothing is forgotten.
    if (stored === undefined) return { kind: fabric.isForgetful ? 'nothing' : 'over' }
    const record = readJobRecord(stored.value)
    return record === undefined ? { kind: 'over' } : { kind: 'job', job: { record, revision: stored.revision } }
  }

  const read = async (key: string): Promise<StoredJob | undefined> => {
    const found = await find(key)
    return found.kind === 'job' ? found.job : undefined
  }

  const readable = async (key: string): Promise<StoredJob | undefined> => {
    const job = await read(key)
    return job === undefined || isPast(job.record, now()) ? undefined : job
  }

  return {
    async create(key, record) {
      const revision = await storeOf(key).put(key, record, 0)
      if (revision === 'conflict') throw new Error('the id of a new job is taken')
      return { record, revision }
    },
    read: readable,
    find,
    async change(key, change, known) {
      let job = known ?? (await read(key))
      while (job !== undefined) {
        const transition = jobTransition(job.record, change)
        if (transition.kind !== 'moved') return { kind: transition.kind, job }
        const { record } = transition
        const revision = await storeOf(key).put(key, record, job.revision)
        if (revision !== 'conflict') return { kind: 'moved', job: { record, revision } }
        job = await read(key)
      }
      return { kind: 'unknown' }
    },
    async withdraw(key, { record, revision }, change) {
      const transition = jobTransition(record, change)
      const withdrawn = transition.kind === 'moved' ? transition.record : record
      return (await storeOf(key).put(key, withdrawn, revision)) !== 'conflict'
    },
    async bury(key, known) {
      const { fence } = known.record
      let job: StoredJob | undefined = known
      while (job !== undefined && job.record.fence <= fence) {
        if ((await storeOf(key).put(key, tombstone, job.revision)) !== 'conflict') {
          if (!fabric.isForgetful) await storeOf(key).delete(key)
          return
        }
        job = await read(key)
      }
    },
    async forget(key) {
      if (fabric.isForgetful) await storeOf(key).put(key, tombstone)
      else await storeOf(key).delete(key)
    },
    clear: (key) => storeOf(key).delete(key),
    async ofOwner(owner) {
      const keys = await kept.keys(`${owner}.`)
      const jobs = await Promise.all(keys.map(readable))
      return jobs.flatMap((job) => (job === undefined ? [] : [job.record]))
    },
  }
}
