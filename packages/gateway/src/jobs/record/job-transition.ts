import { attempts } from './job-retry.ts'
import type { JobOutcome } from './job-outcome.ts'
import { isFinal, isPast, type JobProgress, type JobRecord, type JobState, mayNotRepeat } from './job-record.ts'

/**
 * The changes of a job. All except `cancel` and `expire` are made by the holder of its lease, and carry the lease's
 * fence. Times are epoch milliseconds.
 */
export type JobChange =
  /** A node is about to run the job. */
  | { readonly kind: 'start'; readonly fence: number; readonly node: string; readonly now: number }
  /** A client is about to see a part of the job. */
  | { readonly kind: 'emit'; readonly fence: number; readonly now: number }
  /** The backend has started a task for the job. */
  | { readonly kind: 'task_started'; readonly fence: number; readonly task: string; readonly now: number }
  /** The job has made progress. */
  | { readonly kind: 'progress'; readonly fence: number; readonly progress: JobProgress; readonly now: number }
  /** The job waits for an answer of its client, or continues. */
  | { readonly kind: 'ask' | 'go_on'; readonly fence: number; readonly now: number }
  /** The attempt has ended, and there will be another one. */
  | { readonly kind: 'put_back'; readonly fence: number; readonly mayHaveRun: boolean; readonly now: number }
  | {
      readonly kind: 'end'
      readonly fence: number
      readonly state: Extract<JobState, 'succeeded' | 'failed' | 'cancelled' | 'expired'>
      readonly outcome: JobOutcome
      readonly now: number
    }
  /** The owner cancels the job. */
  | { readonly kind: 'cancel'; readonly outcome: JobOutcome; readonly now: number }

/** The result of a change. */
export type JobTransition =
  | { readonly kind: 'moved'; readonly record: JobRecord }
  /** The change has no effect, and nothing needs to be written. */
  | { readonly kind: 'same' }
  /** A node that is gone has started the job: it is unknown whether that took effect, and it must not run again. */
  | { readonly kind: 'unknown_outcome' }
  /** The job's time was over before it was started. */
  | { readonly kind: 'too_late' }
  /** The job has ended already. */
  | { readonly kind: 'final' }
  /** The lease is outdated: another node has the job. */
  | { readonly kind: 'stale' }

/**
 * Applies a change to a job: `queued <-> running <-> input_required -> succeeded | failed | cancelled | expired`.
 *
 * A job is started again only if no client has seen a part of it. (The node that knows the tool decides by the attempt
 * number whether the tool may run twice.)
 */
export function jobTransition(record: JobRecord, change: JobChange): JobTransition {
  if (isFinal(record.state)) return { kind: 'final' }
  if (change.kind === 'cancel') return ended(record, 'cancelled', change.outcome, change.now)
  const { fence, now } = change
  if (fence < record.fence) return { kind: 'stale' }
  if (change.kind === 'start') {
    if (fence === record.fence) return { kind: 'stale' }
    if (record.attempt > 0 && (mayNotRepeat(record) || record.attempt >= attempts)) return { kind: 'unknown_outcome' }
    if (isPast(record, now)) return { kind: 'too_late' }
    const { node } = change
    return moved({ ...record, state: 'running', node, fence, attempt: record.attempt + 1, updatedAt: now })
  }
  switch (change.kind) {
    case 'emit':
      return record.emitted ? { kind: 'same' } : moved({ ...record, emitted: true, updatedAt: now })
    case 'task_started':
      return moved({ ...record, backendTask: change.task, updatedAt: now })
    case 'progress':
      return moved({ ...record, progress: change.progress, updatedAt: now })
    case 'ask':
      return become(record, 'input_required', now)
    case 'go_on':
      return become(record, 'running', now)
    case 'put_back':
      // An earlier write of this change took effect without an answer. Its attempt counts once.
      if (record.state === 'queued' && fence === record.fence && fence > 0) return { kind: 'same' }
      return putBack({ ...record, fence }, change.mayHaveRun, now)
    case 'end':
      break
  }
  return ended({ ...record, fence }, change.state, change.outcome, now)
}

function putBack(
  { node: _node, progress: _progress, ...record }: JobRecord,
  mayHaveRun: boolean,
  now: number,
): JobTransition {
  const { attempt, tries = 0 } = record
  const counted = mayHaveRun ? { attempt, tries: 0 } : { attempt: attempt - 1, tries: tries + 1 }
  return moved({ ...record, ...counted, state: 'queued', updatedAt: now })
}

function become(record: JobRecord, state: JobState, now: number): JobTransition {
  return record.state === state ? { kind: 'same' } : moved({ ...record, state, updatedAt: now })
}

/** Ends a job. The params of its request and the token of its caller are removed, because it is not run again. */
function ended(
  { progress: _progress, callerToken: _token, ...record }: JobRecord,
  state: JobState,
  outcome: JobOutcome,
  now: number,
): JobTransition {
  const { id, dialect, method, options } = record.request
  const request = { id, dialect, method, ...(options !== undefined && { options }) }
  return moved({ ...record, request, state, outcome, updatedAt: now })
}

function moved(record: JobRecord): JobTransition {
  return { kind: 'moved', record }
}
