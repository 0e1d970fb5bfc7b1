import { edit, type JsonObject, type JsonValue, type Payload, payloadOf } from '@junctor/jsonrpc'
import { outcomeOf } from '../../jobs/record/job-outcome.ts'
import type { JobRecord } from '../../jobs/record/job-record.ts'
import { taskOf } from './task.ts'

/** The task of a job as the extension has it (SEP-2663, "Tasks"): a new task, or one without its details. */
export function extensionTask(record: JobRecord): JsonObject {
  const { ttl = null, pollInterval, statusMessage, ...task } = taskOf(record)
  // A result with `isError` is a result; only an error of JSON-RPC is a failure.
  const hasResult = record.outcome !== undefined && 'result' in record.outcome
  const status = hasResult ? 'completed' : task['status']
  return {
    ...task,
    status,
    ...(statusMessage !== undefined && { statusMessage }),
    ttlMs: ttl,
    ...(pollInterval !== undefined && { pollIntervalMs: pollInterval }),
  }
}

/**
 * The same with what belongs to its status: its result, its error, or its open questions (SEP-2663, "Task Status").
 *
 * @param questions undefined: no node runs it now, so no question is open
 */
export function detailedTask(record: JobRecord, questions: Payload | undefined): Payload {
  const task = payloadOf(extensionTask(record))
  if (record.state === 'input_required') {
    return edit(task, questions === undefined ? { status: 'working' } : { inputRequests: questions })
  }
  if (record.outcome === undefined || record.state === 'cancelled') return task
  const outcome = outcomeOf(record.outcome)
  if (outcome.kind === 'complete') return edit(task, { result: outcome.result })
  const { code, message, data } = outcome.error
  const error: Record<string, JsonValue | Payload> = { code, message, ...(data !== undefined && { data }) }
  return edit(task, { error: edit(payloadOf({}), error) })
}
