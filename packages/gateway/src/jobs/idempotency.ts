import { hash } from 'node:crypto'
import type { Fabric } from '@junctor/contracts'
import { isJsonObject } from '@junctor/jsonrpc'
import type { JobRecord } from './job-record.ts'
import type { JobRequest } from './job-request.ts'

/** The job of an owner's idempotency key, and the request that used the key first. */
type KeyRecord = {
  readonly job: string
  /** A hash of the method and params. */
  readonly digest: string
  /** Epoch milliseconds when the key was claimed. Absent in records of older versions. */
  readonly at?: number
}

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
  takeOver(
    record: Pick<JobRecord, 'id' | 'owner' | 'request'>,
    key: string,
    from: { readonly revision: number },
  ): Promise<boolean>
  /** Releases the key of a job that was not stored. */
  release(record: Pick<JobRecord, 'owner'>, key: string): Promise<void>
}

/** @param keepMs the longest time to live of a job, in milliseconds */
export function createIdempotencyKeys(fabric: Fabric, keepMs: number, now: () => number): IdempotencyKeys {
  const store = fabric.store<KeyRecord>('idempotency', keepMs)
  const entry = ({ id, request }: Pick<JobRecord, 'id' | 'request'>): KeyRecord => ({
    job: id,
    digest: digestOf(request),
    at: now(),
  })

  return {
    async claim(record, key) {
      const name = nameOf(record.owner, key)
      const own = entry(record)
      if ((await store.put(name, own, 0)) !== 'conflict') return { kind: 'claimed' }
      const stored = await store.get(name)
      // The key expired in between: the claim counts as if it had come a moment later.
      if (stored === undefined || !isJsonObject(stored.value)) return { kind: 'claimed' }
      const { job, digest, at = 0 } = stored.value
      return digest === own.digest ? { kind: 'known', job, at, revision: stored.revision } : { kind: 'conflict' }
    },
    async takeOver(record, key, { revision }) {
      return (await store.put(nameOf(record.owner, key), entry(record), revision)) !== 'conflict'
    },
    release: ({ owner }, key) => store.delete(nameOf(owner, key)),
  }
}

/** Clients may use any text as a key, so its hash is stored. */
function nameOf(owner: string, key: string): string {
  return `${owner}.${hash('sha256', key, 'base64url')}`
}

function digestOf({ method, params }: JobRequest): string {
  return hash('sha256', JSON.stringify([method, params ?? null]), 'base64url')
}
