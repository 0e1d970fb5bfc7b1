import type { CallContext } from '@junctor/exchange'
import type { Request } from '@junctor/jsonrpc'
import type { Situation } from '@junctor/protocol'
import type { JobBatch, JobKind, JobRecord } from './job-record.ts'
import { ownerOf } from './job-record.ts'
import { toJobRequest } from './job-request.ts'
import { tokenHash } from './job-token.ts'

/** A request that is to become a job. */
export interface Submission {
  readonly kind: JobKind
  readonly request: Request
  readonly context: CallContext
  /** Whose it is, where that is known already. */
  readonly owner?: string
  /** The node where its session is at home; this one for a request without a session. */
  readonly home: string
  /** How long it can be read, in milliseconds. Default: as long as any. */
  readonly ttlMs?: number
  /** Whoever has it may collect the job. */
  readonly token?: string
  readonly idempotencyKey?: string
  readonly batch?: JobBatch | undefined
}

/** What became of a submission. */
export type Submitted =
  /** The fabric has it: it will reach an end, whatever becomes of this node. */
  | { readonly kind: 'stored'; readonly record: JobRecord }
  /** It is a repeat, and this is the job. */
  | { readonly kind: 'known'; readonly record: JobRecord }
  /** Nothing is stored. */
  | { readonly kind: 'refused'; readonly situation: Situation; readonly message?: string }

/** The record of a job that is to be stored. */
export function newJobRecord(
  submission: Submission,
  id: string,
  node: string,
  longestTtlMs: number,
  now: number,
): JobRecord {
  const { kind, request, context, owner = ownerOf(context), home, ttlMs, token, idempotencyKey, batch } = submission
  const { tenant, principal, session, revision, client, extensions, trace } = context
  return {
    id,
    owner,
    kind,
    tenant,
    principal,
    ...(session !== undefined && { session }),
    home,
    from: node,
    revision,
    client,
    ...(extensions !== undefined && { extensions }),
    ...(trace !== undefined && { trace }),
    request: toJobRequest(request),
    ...(batch !== undefined && { batch }),
    ...(token !== undefined && { token: tokenHash(token) }),
    ...(idempotencyKey !== undefined && { idempotencyKey }),
    state: 'queued',
    fence: 0,
    attempt: 0,
    emitted: false,
    createdAt: now,
    updatedAt: now,
    ttlMs: Math.min(ttlMs ?? longestTtlMs, longestTtlMs),
  }
}
