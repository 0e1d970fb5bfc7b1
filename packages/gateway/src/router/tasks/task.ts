import { isJsonObject, type JsonObject, memberOf, type Payload } from '@junctor/jsonrpc'
import { allows, type Revision } from '@junctor/protocol'
import type { JobRecord, JobState } from '../../jobs/record/job-record.ts'

/** The poll interval that the gateway recommends to clients, in milliseconds. */
const pollMs = 500

const statuses: Readonly<Record<JobState, string>> = {
  queued: 'working',
  running: 'working',
  input_required: 'input_required',
  succeeded: 'completed',
  failed: 'failed',
  cancelled: 'cancelled',
  expired: 'failed',
}

/** The MCP status of a job state. */
export function taskStatus(state: JobState): string {
  return statuses[state]
}

/** The MCP task of a job (2025-11-25, Tasks, "Task"). */
export function taskOf({ id, state, outcome, createdAt, updatedAt, ttlMs }: JobRecord): JsonObject {
  const message = outcome !== undefined && 'error' in outcome ? outcome.error.message : undefined
  return {
    taskId: id,
    status: statuses[state],
    ...(message !== undefined && { statusMessage: message }),
    createdAt: new Date(createdAt).toISOString(),
    lastUpdatedAt: new Date(updatedAt).toISOString(),
    ttl: ttlMs,
    pollInterval: pollMs,
  }
}

/** Whether a request asks to run as a task. */
export type TaskAsked =
  | { readonly kind: 'none' }
  /** `ttlMs` is how long the client wants to read the task; `undefined`: as long as the limit allows. */
  | { readonly kind: 'task'; readonly ttlMs: number | undefined }
  | { readonly kind: 'bad'; readonly message: string }

const none: TaskAsked = { kind: 'none' }

/** Reads `params.task`; null is none. Revisions without tasks ignore it. */
export function taskAsked(params: Payload | undefined, revision: Revision): TaskAsked {
  if (params === undefined || !allows(revision, 'tasks')) return none
  const task = memberOf(params.value(), 'task')
  if (task === undefined || task === null) return none
  if (!isJsonObject(task)) return { kind: 'bad', message: 'Expects "task" to be an object' }
  const { ttl } = task
  if (ttl === undefined || ttl === null) return { kind: 'task', ttlMs: undefined }
  if (typeof ttl !== 'number' || !(ttl > 0)) {
    return { kind: 'bad', message: 'Expects "task.ttl" to be a number of milliseconds above 0' }
  }
  return { kind: 'task', ttlMs: ttl }
}
