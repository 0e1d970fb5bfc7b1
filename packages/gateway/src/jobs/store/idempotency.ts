import { hash } from 'node:crypto'
import { type Fabric, readData, type UnreadableReporter } from '@junctor/contracts'
import { z } from 'zod'
import type { JobRecord } from '../record/job-record.ts'
import { jobRequestDigest } from '../record/job-request.ts'

/** The job of an owner's idempotency key, and the request that used the key first. */
type KeyRecord = {
  readonly job: string
  /** {@link jobRequestDigest}. */
  readonly digest: string
  /** Epoch milliseconds when the key was claimed. 0: in a record of an older version. */
  readonly at: number
}

const schema: z.ZodType<KeyRecord> = z.object({ job: z.string(), digest: z.string(), at: z.number().default(0) })

/** The result of a claim. */
type Claim =
  /** The key was free, and belongs to this job now. */
  | { readonly kind: 'claimed' }
  /** The key belongs to a job of the same request: its id, and when the key was claimed. */
  | { readonly kind: 'known'; readonly revision: number; readonly job: string; readonly at: number }
  /** The key belongs to another request. */
  | { readonly kind: 'conflict' }

/**
 * The keys with which clients mark repeated requests (JSON-RPC 3.0 `options.idempotencyKey`). A key lives as long as
 * its job.
 */
export interface IdempotencyKeys {
  claim(record: Pick<JobRecord, 'id' | 'owner' | 'request'>, key: string): Promise<Claim>
  /**
   * Moves a key from a job that was never stored, and will not be, to another. Returns false when another job has taken
   * it already.
   */
  reassign(
    record: Pick<JobRecord, 'id' | 'owner' | 'request'>,
    key: string,
    from: { readonly revision: number },
  ): Promise<boolean>
  /** Releases the key of a job that was not stored, or was removed. Has no effect when another job has the key. */
  release(record: Pick<JobRecord, 'id' | 'owner'>, key: string): Promise<void>
}

/** @param keepMs the longest time to live of a job, in milliseconds */
export function createIdempotencyKeys(
  fabric: Pick<Fabric, 'store'>,
  keepMs: number,
  now: () => number,
  unreadable: UnreadableReporter,
): IdempotencyKeys {
  const store = fabric.store<KeyRecord>('idempotency', keepMs)
  const entry = ({ id, request }: Pick<JobRecord, 'id' | 'request'>): KeyRecord => ({
    job: id,
    digest: jobRequestDigest(request),
    at: now(),
  })

  const claim: IdempotencyKeys['claim'] = async (record, key) => {
    const name = nameOf(record.owner, key)
    const own = entry(record)
    if ((await store.put(name, own, 0)) !== 'conflict') return { kind: 'claimed' }
    const stored = await store.get(name)
    // The key expired or was released in between.
    if (stored === undefined) return claim(record, key)
    const read = readData(schema, stored.value)
    if (read.kind === 'unreadable') {
      unreadable('idempotency_key', record.owner, read.problem)
      // The key is claimed as if it were free, so that a repeat of this request is recognized.
      return (await store.put(name, own, stored.revision)) === 'conflict' ? claim(record, key) : { kind: 'claimed' }
    }
    const { job, digest, at } = read.value
    return digest === own.digest ? { kind: 'known', job, at, revision: stored.revision } : { kind: 'conflict' }
  }

  return {
    claim,
    async reassign(record, key, { revision }) {
      return (await store.put(nameOf(record.owner, key), entry(record), revision)) !== 'conflict'
    },
    async release({ id, owner }, key) {
      const name = nameOf(owner, key)
      const stored = await store.get(name)
      if (stored === undefined) return
      const read = readData(schema, stored.value)
      if (read.kind !== 'read' || read.value.job !== id) return
      // Claimed anew for a moment, so that it is not reassigned just before it is deleted.
      const held = await store.put(name, { ...read.value, at: now() }, stored.revision)
      if (held !== 'conflict') await store.delete(name)
    },
  }
}

/** Clients may use any text as a key, so its hash is stored. */
function nameOf(owner: string, key: string): string {
  return `${owner}.${hash('sha256', key, 'base64url')}`
}
