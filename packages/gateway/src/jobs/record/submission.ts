import type { CallContext } from '@junctor/exchange'
import type { Request } from '@junctor/jsonrpc'
import type { ErrorDetails, Situation } from '@junctor/protocol'
import { ofToken } from '../../shared/of-token.ts'
import { type JobBatch, type JobKind, type JobRecord, ownerOf } from './job-record.ts'
import { toJobRequest } from './job-request.ts'
import { tokenHash } from './job-token.ts'

/** A request that is to become a job. */
export interface Submission {
  readonly kind: JobKind
  readonly request: Request
  readonly context: CallContext
  /** The owner of the job, if it is known already. */
  readonly owner?: string
  /** The home node of its session; this node for a request without a session. */
  readonly home: string
  /** How long the result can be read, in milliseconds. Default: as long as the limit allows. */
  readonly ttlMs?: number
  /** A token that gives access to the result. */
  readonly token?: string
  /** The task that the backend has already started for the request. */
  readonly backendTask?: string
  readonly idempotencyKey?: string
  /** {@link JobRecord.repeats}. */
  readonly repeats?: string
  readonly batch?: JobBatch | undefined
}

/** The result of a submission. */
export type Submitted =
  /** The fabric has stored the job: it will end, even if this node dies. */
  | { readonly kind: 'stored'; readonly record: JobRecord }
  /** The request is a repeat, and this is its job. A repeat that is answered on a stream has a job of its own for that. */
  | { readonly kind: 'known'; readonly record: JobRecord }
  /** Nothing is stored. */
  | RefusedSubmission

/** Why nothing of a submission is stored. */
interface RefusedSubmission {
  readonly kind: 'refused'
  readonly situation: Situation
  /** The details of the client's error. Absent: those of the catalogue for the situation. */
  readonly details?: ErrorDetails
}

/** The record of a new job. */
export function newJobRecord(
  submission: Submission,
  id: string,
  node: string,
  longestTtlMs: number,
  now: number,
): JobRecord {
  const {
    kind,
    request,
    context,
    owner = ownerOf(context),
    home,
    ttlMs,
    token,
    backendTask,
    idempotencyKey,
    repeats,
    batch,
  } = submission
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
    ...ofToken(context),
    ...(trace !== undefined && { trace }),
    request: toJobRequest(request),
    ...(batch !== undefined && { batch }),
    ...(token !== undefined && { token: tokenHash(token) }),
    ...(backendTask !== undefined && { backendTask }),
    ...(idempotencyKey !== undefined && { idempotencyKey }),
    ...(repeats !== undefined && { repeats }),
    state: 'queued',
    fence: 0,
    attempt: 0,
    emitted: false,
    createdAt: now,
    updatedAt: now,
    ttlMs: Math.min(ttlMs ?? longestTtlMs, longestTtlMs),
  }
}
