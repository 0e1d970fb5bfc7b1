import type { Fabric, Store, UnreadableReporter } from '@junctor/contracts'
import { memberOf } from '@junctor/jsonrpc'
import { isUnpollableKey } from '../record/job-ids.ts'
import { type JobRecord, ownerIn, readJobRecord } from '../record/job-record.ts'

/** A record, with the revision that its next write must name. */
export interface StoredJob {
  readonly record: JobRecord
  readonly revision: number
}

/** The revision of a record of which nothing is stored yet. */
export const unstoredRevision = 0

/** What is stored of a job. */
export type Found =
  | { readonly kind: 'job'; readonly job: StoredJob }
  /** The job has ended and was removed. */
  | { readonly kind: 'over' }
  | { readonly kind: 'nothing' }

/**
 * Marks an ended job that was removed, on forgetful storage: a server that is killed may forget a deletion and still
 * have the old record. Readers of records ignore it.
 */
type Tombstone = { readonly over: true }

const tombstone: Tombstone = { over: true }

function isTombstone(value: unknown): boolean {
  return memberOf(value, 'over') === true
}

/** How long each kind of record is kept, in milliseconds. */
export interface KeepMs {
  /** Records of jobs that can be polled: the longest time to live of any job. */
  readonly pollable: number
  /** Records of jobs that cannot be polled, that are written now. */
  readonly unpollable: () => number
}

/** The storage of job records. */
export interface StoredRecords {
  find(key: string): Promise<Found>
  /** `undefined`: there is no record, or it is marked as removed. */
  get(key: string): Promise<StoredJob | undefined>
  /** @param revision the revision that is overwritten; 0: there must be no record */
  put(key: string, record: JobRecord, revision: number): Promise<number | 'conflict'>
  /**
   * Marks a job as removed on forgetful storage, and deletes its record on other storage. Returns false when the
   * revision is another.
   */
  end(key: string, revision: number): Promise<boolean>
  /** The same, for any revision. */
  forget(key: string): Promise<void>
  delete(key: string): Promise<void>
  /** The keys of an owner's jobs that can be polled. */
  keysOf(owner: string): Promise<readonly string[]>
}

/**
 * Keeps jobs that can be polled in one store, and the others in another with a shorter time to live.
 *
 * @param unreadable called with a record that this version cannot read; its job counts as removed
 */
export function createStoredRecords(
  fabric: Pick<Fabric, 'store' | 'mayRestoreDeleted'>,
  keepMs: KeepMs,
  unreadable: UnreadableReporter,
): StoredRecords {
  const pollable = fabric.store<JobRecord | Tombstone>('jobs', keepMs.pollable)
  let passingMs = keepMs.unpollable()
  let unpollable = fabric.store<JobRecord | Tombstone>('passing', passingMs)
  const passing = (): Store<JobRecord | Tombstone> => {
    const ms = keepMs.unpollable()
    // Records of longer jobs may be in it: it never keeps them for less.
    if (ms > passingMs) unpollable = fabric.store('passing', (passingMs = ms))
    return unpollable
  }
  const storeOf = (key: string): Store<JobRecord | Tombstone> => (isUnpollableKey(key) ? passing() : pollable)

  const find = async (key: string): Promise<Found> => {
    const stored = await storeOf(key).get(key)
    // On storage that is not forgetful, a missing record means that the job was removed.
    if (stored === undefined) return { kind: fabric.mayRestoreDeleted ? 'nothing' : 'over' }
    if (isTombstone(stored.value)) return { kind: 'over' }
    const read = readJobRecord(stored.value)
    if (read.kind === 'read') return { kind: 'job', job: { record: read.value, revision: stored.revision } }
    unreadable('job', ownerIn(key), read.problem)
    return { kind: 'over' }
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
      if (!fabric.mayRestoreDeleted) await storeOf(key).delete(key)
      return true
    },
    async forget(key) {
      if (fabric.mayRestoreDeleted) await storeOf(key).put(key, tombstone)
      else await storeOf(key).delete(key)
    },
    delete: (key) => storeOf(key).delete(key),
    keysOf: (owner) => pollable.keys(`${owner}.`),
  }
}
