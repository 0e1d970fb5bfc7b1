import { hash } from 'node:crypto'
import type { Fabric } from '@junctor/contracts'
import { isJsonObject } from '@junctor/jsonrpc'
import type { JobRecord } from './job-record.ts'
import type { JobRequest } from './job-request.ts'

/** Which job a key of an owner stands for, and for which request it was first used. */
type KeyRecord = {
  readonly job: string
  /** Of method and params. */
  readonly digest: string
  /** Epoch milliseconds when it was claimed. Older versions do not say. */
  readonly at?: number
}

/** What a key stands for. */
type Claim =
  /** From now on for this job. */
  | { readonly kind: 'claimed' }
  /** For a job of the same request: its id, and when it claimed the key. */
  | { readonly kind: 'known'; readonly revision: number; readonly job: string; readonly at: number }
  /** For another request. */
  | { readonly kind: 'conflict' }

/** The keys by which clients say that a request is a repeat (JSON-RPC 3.0 `options.idempotencyKey`), for the jobs' whole life. */
export interface IdempotencyKeys {
  claim(record: Pick<JobRecord, 'id' | 'owner' | 'request'>, key: string): Promise<Claim>
  /** The job that has the key was never stored, and nobody stores it any more. False: another one has it by now. */
  takeOver(
    record: Pick<JobRecord, 'id' | 'owner' | 'request'>,
    key: string,
    from: { readonly revision: number },
  ): Promise<boolean>
  /** The job was not stored after all. */
  release(record: Pick<JobRecord, 'owner'>, key: string): Promise<void>
}

/** @param keepMs the longest time to live of any job, in milliseconds */
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
      // It expired between the two: as if it had come a moment later.
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

/** Keys are the client's and may be anything: what is stored is a hash. */
function nameOf(owner: string, key: string): string {
  return `${owner}.${hash('sha256', key, 'base64url')}`
}

function digestOf({ method, params }: JobRequest): string {
  return hash('sha256', JSON.stringify([method, params ?? null]), 'base64url')
}
