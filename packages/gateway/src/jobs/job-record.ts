import { hash } from 'node:crypto'
import type { CallContext, LastEvent, Principal } from '@junctor/exchange'
import type { JsonObject } from '@junctor/jsonrpc'
import { isJsonObject } from '@junctor/jsonrpc'
import type { Revision } from '@junctor/protocol'
import { knownExtensions } from '@junctor/protocol'
import type { JobOutcome } from './job-outcome.ts'
import { outcomeOf } from './job-outcome.ts'
import type { JobRequest } from './job-request.ts'

/** Where a job is. The last four are final. */
export type JobState = 'queued' | 'running' | 'input_required' | 'succeeded' | 'failed' | 'cancelled' | 'expired'

/**
 * What a job is for: `queued`, its answer goes to the session's own stream and nobody collects it; `async`, it is
 * collected by JSON-RPC 3.0's `job.*`; `task`, by MCP's `tasks/*`.
 */
export type JobKind = 'queued' | 'async' | 'task'

/** How far a job is, of `total` where that is known. */
export type JobProgress = { readonly progress: number; readonly total?: number }

/** The requests of one batch whose answers go out as one array. `at`: which of them it is, from 0 on. */
export type JobBatch = { readonly id: string; readonly size: number; readonly at: number }

/** All that any node needs to know of a job: to run it, to show it, to give what it came to. Plain JSON. */
export type JobRecord = {
  /** `j_` or `q_`, and 22 base64url characters: see `job-ids.ts`. */
  readonly id: string
  /** Whose it is: {@link ownerOf}. With the id it is the key of the record. */
  readonly owner: string
  readonly kind: JobKind
  readonly tenant: string
  readonly principal: { readonly issuer: string; readonly subject: string; readonly key: string }
  readonly session?: string
  /** The node where its session is at home; for a request without a session, the one that took it. */
  readonly home: string
  /** The node that stored it. */
  readonly from: string
  readonly revision: Revision
  readonly client: { readonly info: JsonObject; readonly capabilities: JsonObject }
  readonly extensions?: readonly string[]
  readonly trace?: string
  /** Gone when the job is over: nobody runs it again. */
  readonly request: JobRequest
  readonly batch?: JobBatch
  /** The hash of the token that lets others collect it. */
  readonly token?: string
  /** A repeat of the request under the same key is the same job. */
  readonly idempotencyKey?: string
  readonly state: JobState
  /** The node that runs it. */
  readonly node?: string
  /** Of the lease under which it was last run; 0 before. */
  readonly fence: number
  /** How often it was started and may have run. */
  readonly attempt: number
  /** How often in a row an attempt since did not run. Default: 0. */
  readonly tries?: number
  /** Somebody may have seen something of it. */
  readonly emitted: boolean
  /** Epoch milliseconds. */
  readonly createdAt: number
  readonly updatedAt: number
  /** It is readable, and may run, for this long after `createdAt`, in milliseconds. */
  readonly ttlMs: number
  /** How far it is, while it runs and if it says so. */
  readonly progress?: JobProgress
  readonly outcome?: JobOutcome
}

const finalStates: ReadonlySet<JobState> = new Set(['succeeded', 'failed', 'cancelled', 'expired'])

/** Whether nothing about a job in this state changes any more. */
export function isFinal(state: JobState): boolean {
  return finalStates.has(state)
}

/** Whether anybody can ask for a job that is over: an answer on a stream is asked for by a repeat alone. */
export function isKept({
  kind,
  idempotencyKey,
}: {
  readonly kind: JobKind
  readonly idempotencyKey?: string | undefined
}): boolean {
  return kind !== 'queued' || idempotencyKey !== undefined
}

/** Whether a record is past its time: it is nobody's business any more, and not run. */
export function isPast({ createdAt, ttlMs }: Pick<JobRecord, 'createdAt' | 'ttlMs'>, now: number): boolean {
  return now >= createdAt + ttlMs
}

/** Principals by tenant, as part of keys: says nothing of either, and is the same on every node. */
export function ownerOf({
  tenant,
  principal,
}: {
  readonly tenant: string
  readonly principal: Pick<Principal, 'key'>
}): string {
  return hash('sha256', JSON.stringify([tenant, principal.key]), 'base64url').slice(0, 22)
}

/** The key of a record: those of one owner share what is before the point. */
export function keyOf({ owner, id }: Pick<JobRecord, 'owner' | 'id'>): string {
  return `${owner}.${id}`
}

/** The context that the request came with. */
export function contextOf(record: JobRecord): CallContext {
  const { tenant, principal, session, revision, client, extensions, trace } = record
  const context: CallContext = {
    tenant,
    principal,
    session,
    revision,
    client,
    ...(extensions !== undefined && { extensions: knownExtensions(extensions) }),
    trace,
  }
  return ofJob(context, record)
}

/** The context of a request when it is run for its job. Queued ones are answered to whoever sent them, like all others. */
export function ofJob(context: CallContext, { kind, id }: JobRecord): CallContext {
  return kind === 'queued' ? context : { ...context, job: id }
}

/** How a job that is over ended. */
export function lastOf({ state, outcome }: JobRecord): LastEvent {
  if (state === 'cancelled' || outcome === undefined) return { kind: 'end', reason: 'cancelled' }
  return { kind: 'outcome', outcome: outcomeOf(outcome) }
}

/** Reads a record that another node, perhaps of another version, has written; `undefined` when it is not one. */
export function readJobRecord(value: unknown): JobRecord | undefined {
  if (!isJsonObject(value)) return undefined
  const { id, owner, state, request, principal, client } = value
  const isOne =
    typeof id === 'string' &&
    typeof owner === 'string' &&
    typeof state === 'string' &&
    isJsonObject(request) &&
    isJsonObject(principal) &&
    isJsonObject(client)
  return isOne ? (value as unknown as JobRecord) : undefined
}
