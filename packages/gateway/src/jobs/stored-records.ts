import type { Fabric, Store } from '@junctor/contracts'
import { isPassing } from './job-ids.ts'
import type { JobRecord } from './job-record.ts'
import { readJobRecord } from './job-record.ts'

/** A record and the revision that its next write names. */
export interface StoredJob {
  readonly record: JobRecord
  readonly revision: number
}

/** What is stored of a job. */
export type Found =
  | { readonly kind: 'job'; readonly job: StoredJob }
  /** It is over, and forgotten. */
  | { readonly kind: 'over' }
  | { readonly kind: 'nothing' }

/**
 * What stands in place of a job that is over and that nobody can ask for any more, where storage is forgetful: a server
 * that is killed may forget what was deleted, and have what was there before. For whoever reads a record it is none.
 */
type Tombstone = { readonly over: true }

const tombstone: Tombstone = { over: true }

/** How long each of both kinds of records is kept, in milliseconds. */
export interface KeepMs {
  /** Those that somebody can ask for: the longest time to live of any. */
  readonly kept: number
  /** Those that nobody can ask for. */
  readonly passing: number
}

/** Where the record of each job is stored. */
export interface StoredRecords {
  find(key: string): Promise<Found>
  /** `undefined` when there is none, or what is there says that it is over. */
  get(key: string): Promise<StoredJob | undefined>
  /** @param revision that is to be overwritten; 0: none is there yet */
  put(key: string, record: JobRecord, revision: number): Promise<number | 'conflict'>
  /** Has it stand there, where storage is forgetful, that a job is over, and else nothing. False: it was not that revision. */
  end(key: string, revision: number): Promise<boolean>
  /** The same, whatever was there. */
  forget(key: string): Promise<void>
  delete(key: string): Promise<void>
  /** The keys of an owner's jobs that somebody can ask for. */
  keysOf(owner: string): Promise<readonly string[]>
}

/** Keeps what somebody can ask for in one store, and what nobody can in another, whose age is less. */
export function createStoredRecords(fabric: Pick<Fabric, 'store' | 'isForgetful'>, keepMs: KeepMs): StoredRecords {
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

  return {
    find,
    async get(key) {
      const found = await find(key)
      return found.kind === 'job' ? found.job : undefined
    },
    put: (key, record, revision) => storeOf(key).put(key, record, revision),
    async end(key, revision) {
      if ((await storeOf(key).put(key, tombstone, revision)) === 'conflict') return false
      if (!fabric.isForgetful) await storeOf(key).delete(key)
      return true
    },
    async forget(key) {
      if (fabric.isForgetful) await storeOf(key).put(key, tombstone)
      else await storeOf(key).delete(key)
    },
    delete: (key) => storeOf(key).delete(key),
    keysOf: (owner) => kept.keys(`${owner}.`),
  }
}
