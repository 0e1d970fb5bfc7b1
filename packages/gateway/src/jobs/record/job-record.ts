import { hash } from 'node:crypto'
import { type ReadData, readData } from '@junctor/contracts'
import type { CallContext, LastEvent, Principal } from '@junctor/exchange'
import type { JsonObject } from '@junctor/jsonrpc'
import { knownExtensions, type Revision } from '@junctor/protocol'
import { z } from 'zod'
import { ofToken } from '../../shared/of-token.ts'
import { jsonObjectSchema, revisionSchema } from '../../shared/schemas.ts'
import { type JobOutcome, outcomeOf } from './job-outcome.ts'
import type { JobRequest } from './job-request.ts'

/** The state of a job. The last four are final. */
export type JobState = 'queued' | 'running' | 'input_required' | 'succeeded' | 'failed' | 'cancelled' | 'expired'

/**
 * The purpose of a job. `queued`: its answer goes to the session's own stream and is not collected. `async`: it is
 * collected with `job.*` of JSON-RPC 3.0. `task`: it is collected with `tasks/*` of MCP.
 */
export type JobKind = 'queued' | 'async' | 'task'

/** The progress of a job, out of `total` if that is known. */
export type JobProgress = { readonly progress: number; readonly total?: number }

/** The batch of a request: the answers of a batch are sent as one array. `at` is its position, from 0 on. */
export type JobBatch = { readonly id: string; readonly size: number; readonly at: number }

/** The batch as other nodes write it. An earlier version writes no position. */
export const jobBatch: z.ZodType<JobBatch> = z.looseObject({
  id: z.string(),
  size: z.number(),
  at: z.number().default(0),
})

/** Everything that a node needs to run a job, to show it, and to return its result. Plain JSON. */
export type JobRecord = {
  /** `j_` or `q_`, and 22 base64url characters: see `job-ids.ts`. */
  readonly id: string
  /** The owner: {@link ownerOf}. Together with the id, it is the key of the record. */
  readonly owner: string
  readonly kind: JobKind
  readonly tenant: string
  readonly principal: { readonly issuer: string; readonly subject: string; readonly key: string }
  readonly session?: string
  /** The home node of its session; for a request without a session, the node that accepted it. */
  readonly home: string
  /** The node that stored it. */
  readonly from: string
  readonly revision: Revision
  readonly client: { readonly info: JsonObject; readonly capabilities: JsonObject }
  readonly extensions?: readonly string[]
  /** Those of the request's token: {@link CallContext.scopes}. */
  readonly scopes?: readonly string[]
  /** {@link CallContext.callerToken}. It is removed when the job ends. */
  readonly callerToken?: string
  readonly trace?: string
  /** Its params are removed when the job ends, because it is not run again. */
  readonly request: JobRequest
  readonly batch?: JobBatch
  /** The hash of the token that gives other callers access to it. */
  readonly token?: string
  /** The task that the backend has already started for the request, by the backend's own id. */
  readonly backendTask?: string
  /** A repeat of the request with the same key is the same job. */
  readonly idempotencyKey?: string
  /**
   * The id of the job whose outcome is the answer: the request is a repeat of that job's request, under another id or for
   * another session. The job calls nothing.
   */
  readonly repeats?: string
  readonly state: JobState
  /** The node that runs it. */
  readonly node?: string
  /** The fence of the lease under which it was last run; 0 before that. */
  readonly fence: number
  /** How many attempts were started and may have run. */
  readonly attempt: number
  /** How many attempts in a row since then did not run. Default: 0. */
  readonly tries?: number
  /** Whether a client may have seen a part of it. */
  readonly emitted: boolean
  /** Epoch milliseconds. */
  readonly createdAt: number
  readonly updatedAt: number
  /** It is readable, and may run, for this long after `createdAt`, in milliseconds. */
  readonly ttlMs: number
  /** Its progress, if it runs and reports progress. */
  readonly progress?: JobProgress
  readonly outcome?: JobOutcome
}

const finalStates: ReadonlySet<JobState> = new Set(['succeeded', 'failed', 'cancelled', 'expired'])

/** Whether a state is final. */
export function isFinal(state: JobState): boolean {
  return finalStates.has(state)
}

/** Whether the result of a job can be read later. The result of a queued job is read only by a repeat with its key. */
export function isPollable({
  kind,
  idempotencyKey,
  repeats,
}: {
  readonly kind: JobKind
  readonly idempotencyKey?: string | undefined
  readonly repeats?: string | undefined
}): boolean {
  return kind !== 'queued' || (idempotencyKey !== undefined && repeats === undefined)
}

/** Whether the time to live of a record is over: then it cannot be read and is not run. */
export function isPast({ createdAt, ttlMs }: Pick<JobRecord, 'createdAt' | 'ttlMs'>, now: number): boolean {
  return now >= createdAt + ttlMs
}

/**
 * Whether a job must not be started again, because a client has seen a part of it. A job that waits for a task of its
 * backend has no effect of its own.
 */
export function mayNotRepeat({ emitted, backendTask }: Pick<JobRecord, 'emitted' | 'backendTask'>): boolean {
  return emitted && backendTask === undefined
}

/** A hash of a tenant and principal, as a part of keys. It reveals neither, and is equal on every node. */
export function ownerOf({
  tenant,
  principal,
}: {
  readonly tenant: string
  readonly principal: Pick<Principal, 'key'>
}): string {
  return hash('sha256', JSON.stringify([tenant, principal.key]), 'base64url').slice(0, 22)
}

/** The key of a record. The keys of one owner share the part before the point. */
export function keyOf({ owner, id }: Pick<JobRecord, 'owner' | 'id'>): string {
  return `${owner}.${id}`
}

/** The owner in the key of a record. It identifies records in the log: the rest of a key gives access. */
export function ownerIn(key: string): string {
  return key.split('.', 1)[0] ?? ''
}

/** The context of the job's request. */
export function contextOf(record: JobRecord): CallContext {
  const { tenant, principal, session, revision, client, extensions, trace } = record
  const context: CallContext = {
    tenant,
    principal,
    session,
    revision,
    client,
    ...(extensions !== undefined && { extensions: knownExtensions(extensions) }),
    ...ofToken(record),
    trace,
  }
  return ofJob(context, record)
}

/** The context of a request when it runs as a job. Queued requests run as those of their session. */
export function ofJob(context: CallContext, { kind, id, backendTask }: JobRecord): CallContext {
  const inJob: CallContext = { ...context, counted: true, ...(backendTask !== undefined && { backendTask }) }
  return kind === 'queued' ? inJob : { ...inJob, job: id }
}

/** The last event of a job that has ended. */
export function lastOf({ state, outcome }: JobRecord): LastEvent {
  if (state === 'cancelled' || outcome === undefined) return { kind: 'end', reason: 'cancelled' }
  return { kind: 'outcome', outcome: outcomeOf(outcome) }
}

/** The record of a job that starts on the node that accepted it, before anything of it was written. */
export function runningOn(record: JobRecord, node: string): JobRecord {
  return { ...record, state: 'running', node, attempt: 1 }
}

const request = z.looseObject({
  id: z.string(),
  dialect: z.enum(['2.0', '3.0']),
  method: z.string(),
  params: z.string().exactOptional(),
  options: z.string().exactOptional(),
})

const outcome = z.union([
  z.looseObject({ result: z.string() }),
  z.looseObject({
    error: z.looseObject({
      code: z.number(),
      message: z.string(),
      title: z.string().exactOptional(),
      data: z.string().exactOptional(),
    }),
  }),
])

/** Members that this version does not know are kept, because a node that changes a record writes it back. */
const schema: z.ZodType<JobRecord> = z.looseObject({
  id: z.string(),
  owner: z.string(),
  kind: z.enum(['queued', 'async', 'task']),
  tenant: z.string(),
  principal: z.looseObject({ issuer: z.string(), subject: z.string(), key: z.string() }),
  session: z.string().exactOptional(),
  home: z.string(),
  from: z.string(),
  revision: revisionSchema,
  client: z.looseObject({ info: jsonObjectSchema, capabilities: jsonObjectSchema }),
  extensions: z.array(z.string()).exactOptional(),
  scopes: z.array(z.string()).exactOptional(),
  callerToken: z.string().exactOptional(),
  trace: z.string().exactOptional(),
  request,
  batch: jobBatch.exactOptional(),
  token: z.string().exactOptional(),
  backendTask: z.string().exactOptional(),
  idempotencyKey: z.string().exactOptional(),
  repeats: z.string().exactOptional(),
  state: z.enum(['queued', 'running', 'input_required', 'succeeded', 'failed', 'cancelled', 'expired']),
  node: z.string().exactOptional(),
  fence: z.number(),
  attempt: z.number(),
  tries: z.number().exactOptional(),
  emitted: z.boolean(),
  createdAt: z.number(),
  updatedAt: z.number(),
  ttlMs: z.number(),
  progress: z.looseObject({ progress: z.number(), total: z.number().exactOptional() }).exactOptional(),
  outcome: outcome.exactOptional(),
})

/** Reads a record that another node, perhaps one of another version, has written. */
export function readJobRecord(value: unknown): ReadData<JobRecord> {
  return readData(schema, value)
}
