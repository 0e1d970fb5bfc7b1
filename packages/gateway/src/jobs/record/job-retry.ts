import type { LastEvent, Outcome } from '@junctor/exchange'
import { errorData } from '../../shared/errors.ts'
import { outcomeOf } from './job-outcome.ts'
import { isPast, type JobRecord, mayNotRepeat } from './job-record.ts'

/** A job that is put back into the queue. */
export interface JobRetry {
  /** Whether the attempt may have run. If so, `router/tool-call-route.ts` of the next node runs only tools that may repeat. */
  readonly mayHaveRun: boolean
  /** How long it waits in the queue, in milliseconds. */
  readonly waitMs: number
}

/** The most attempts of a job whose attempts may have run. */
export const attempts = 5

/** The most attempts in a row without a backend or storage. With the waits, they take about half a minute. */
const mostFruitless = 8

/** The wait after the first attempt that did not run, and the longest wait, in milliseconds. */
const firstWaitMs = 250
const longestWaitMs = 8_000

/** Reasons that mean that nothing ran: no node was present or had room, or the storage did not answer. */
export const notRun: ReadonlySet<unknown> = new Set(['backend_unavailable', 'fabric_unavailable', 'overloaded'])

/**
 * Whether a job is put back into the queue after an attempt: because its node was lost and another can run it, or
 * because nothing ran. `undefined`: the job ends.
 */
export function jobRetry(record: JobRecord, last: LastEvent, now: number): JobRetry | undefined {
  // The outcome is that of the job whose request is repeated, which has been tried again already.
  if (record.repeats !== undefined || mayNotRepeat(record) || last.kind !== 'outcome') return undefined
  if (isNodeLost(last.outcome)) return record.attempt < attempts ? { mayHaveRun: true, waitMs: firstWaitMs } : undefined
  const { reason, retryable, retryAfterMs } = errorData(last.outcome)
  if (!notRun.has(reason) || retryable !== true) return undefined
  const tries = record.tries ?? 0
  // A job was accepted to wait until there is room, however long the jobs before it take.
  if (reason !== 'overloaded' && tries >= mostFruitless) return undefined
  const asked = typeof retryAfterMs === 'number' ? retryAfterMs : 0
  const waitMs = Math.max(Math.min(firstWaitMs * 2 ** tries, longestWaitMs), asked)
  return isPast(record, now + waitMs) ? undefined : { mayHaveRun: false, waitMs }
}

/**
 * Whether a job that is answered on a stream has ended although nothing of it ran: it could not be run, as its error says, or
 * its session had ended before.
 */
export function ranNothing({ kind, attempt, outcome }: JobRecord): boolean {
  if (kind !== 'queued' || attempt > 1 || outcome === undefined || 'result' in outcome) return false
  const { reason, retryable } = errorData(outcomeOf(outcome))
  return reason === 'session_unknown' || (notRun.has(reason) && retryable === true)
}

/** Whether the node of the call was lost, instead of its backend: it is unknown whether the call took effect. */
export function isNodeLost(outcome: Outcome): boolean {
  const { reason, backend, lostNode } = errorData(outcome)
  return reason === 'backend_exited' && (backend === undefined || lostNode === true)
}
