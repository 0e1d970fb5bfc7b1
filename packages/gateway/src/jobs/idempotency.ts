import { hash } from 'node:crypto'
import type { Fabric } from '@junctor/exchange'
import { isJsonObject } from '@junctor/jsonrpc'
import type { JobRecord, JobRequest } from './job-record.ts'

/** Which job a key of an owner stands for, and for which request it was first used. */
type KeyRecord = {
  readonly job: string
  /** Of method and params. */
  readonly digest: string
}

/** What a key stands for. */
type Claim =
  /** From now on for this job. */
  | { readonly kind: 'claimed' }
  /** For a job of the same request; this is its id. */
  | { readonly kind: 'known'; readonly job: string }
  /** For another request. */
  | { readonly kind: 'conflict' }

/** The keys by which clients say that a request is a repeat (JSON-RPC 3.0 `options.idempotencyKey`), for the jobs' whole life. */
export interface IdempotencyKeys {
  claim(record: Pick<JobRecord, 'id' | 'owner' | 'request'>, key: string): Promise<Claim>
  /** The job was not stored after all. */
  release(record: Pick<JobRecord, 'owner'>, key: string): Promise<void>
}

/** @param keepMs the longest time to live of any job, in milliseconds */
export function createIdempotencyKeys(fabric: Fabric, keepMs: number): IdempotencyKeys {
  const store = fabric.store<KeyRecord>('idempotency', keepMs)

  return {
    async claim({ id, owner, request }, key) {
      const name = nameOf(owner, key)
      const digest = digestOf(request)
      if ((await store.put(name, { job: id, digest }, 0)) !== 'conflict') return { kind: 'claimed' }
      const known = (await store.get(name))?.value
      // It expired between the two: as if it had come a moment later.
      if (!isJsonObject(known)) return { kind: 'claimed' }
      return known.digest === digest ? { kind: 'known', job: known.job } : { kind: 'conflict' }
    },
    release: ({ owner }, key) => store.delete(nameOf(owner, key)),
  }
}

/** Keys are the client's and may be anything: what is stored is a hash. */
function nameOf(owner: string, key: string): string {
  return `${owner}.${hash('sha256', key, 'base64url')}`
}

function digestOf({ method, params }: JobRequest): string {
  return hash('sha256', JSON.stringify([method, params ?? null]), 'base64url')
}
