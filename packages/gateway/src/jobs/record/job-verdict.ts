import {
  endSituations,
  type FinalOutcome,
  finalOutcome,
  type GatheredChunks,
  type LastEvent,
  type View,
} from '@junctor/exchange'
import { memberOf } from '@junctor/jsonrpc'
import { methods, type Situation, wireError } from '@junctor/protocol'
import { reasonOf } from '../../shared/errors.ts'
import { isNodeLost, notRun } from './job-retry.ts'
import { charactersOf, type JobOutcome, toJobOutcome } from './job-outcome.ts'
import { isPast, type JobRecord } from './job-record.ts'

/** The final state and outcome of a job. */
export interface JobVerdict {
  readonly state: 'succeeded' | 'failed' | 'cancelled' | 'expired'
  readonly outcome: JobOutcome
}

/** What a verdict depends on besides the job. */
export interface JudgeOptions {
  readonly view: View
  /** The most characters of a stored outcome; a larger one makes the job fail. */
  readonly limit: number
  /** Epoch milliseconds. */
  readonly now: number
}

/**
 * The verdict for a job from the last event of its exchange. An error of the tool is a failure, with the tool's result.
 */
export function jobVerdict(
  record: JobRecord,
  last: LastEvent,
  gathered: GatheredChunks | undefined,
  { view, limit, now }: JudgeOptions,
): JobVerdict {
  if (last.kind === 'end') return endVerdict(record, last, view, now)
  const final = finalOutcome(last.outcome, gathered, view)
  // This attempt did not run, but an earlier one may have run.
  const isUnsure = record.attempt > 1 && record.repeats === undefined && saysNotRun(record, final)
  if (isUnsure || isNodeLost(final)) return failure('outcome_unknown', view)
  const outcome = toJobOutcome(final)
  if (charactersOf(outcome) > limit) {
    return failure('too_large', view, `The result is larger than ${limit} characters`)
  }
  if (isCancelledByBackend(record, final)) return { state: 'cancelled', outcome }
  return { state: isFailure(record.request.method, final) ? 'failed' : 'succeeded', outcome }
}

/** Whether the outcome says that this attempt ran nothing. A queued job does not run without its session. */
function saysNotRun({ kind }: JobRecord, final: FinalOutcome): boolean {
  const reason = reasonOf(final)
  return notRun.has(reason) || (kind === 'queued' && reason === 'session_unknown')
}

/** Whether the backend has cancelled its own task. The end of a queued job is its answer, which its client waits for. */
function isCancelledByBackend({ kind, backendTask }: JobRecord, final: FinalOutcome): boolean {
  return kind !== 'queued' && backendTask !== undefined && reasonOf(final) === 'cancelled'
}

/** The verdict for a job that the gateway itself lets fail. */
export function failure(situation: Situation, view: View, message?: string): JobVerdict {
  const error = wireError(situation, view, message === undefined ? {} : { message })
  return { state: 'failed', outcome: toJobOutcome({ kind: 'error', error }) }
}

function endVerdict(
  record: JobRecord,
  { reason }: Extract<LastEvent, { kind: 'end' }>,
  view: View,
  now: number,
): JobVerdict {
  // Only a repeat with its key can still read the outcome of a queued job whose session has ended while it ran.
  const situation = reason === 'session_ended' && record.kind === 'queued' ? 'outcome_unknown' : endSituations[reason]
  const { outcome } = failure(situation ?? 'cancelled', view)
  if (reason === 'cancelled') return { state: 'cancelled', outcome }
  return { state: reason === 'deadline' && isPast(record, now) ? 'expired' : 'failed', outcome }
}

function isFailure(method: string, final: FinalOutcome): boolean {
  if (final.kind === 'error') return true
  if (method !== methods.toolsCall) return false
  return memberOf(final.result.value(), 'isError') === true
}
