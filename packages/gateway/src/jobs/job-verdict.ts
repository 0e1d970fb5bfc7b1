import type { FinalOutcome, GatheredChunks, LastEvent, View } from '@junctor/exchange'
import { endSituations, finalOutcome } from '@junctor/exchange'
import { isJsonObject } from '@junctor/jsonrpc'
import type { Situation } from '@junctor/protocol'
import { methods, wireError } from '@junctor/protocol'
import { reasonOf } from '../shared/errors.ts'
import { isNodeLost, notRun } from './job-again.ts'
import type { JobOutcome } from './job-outcome.ts'
import { charactersOf, toJobOutcome } from './job-outcome.ts'
import type { JobRecord } from './job-record.ts'
import { isPast } from './job-record.ts'

/** What a job came to. */
export interface JobVerdict {
  readonly state: 'succeeded' | 'failed' | 'cancelled' | 'expired'
  readonly outcome: JobOutcome
}

/**
 * What the last event of a job's exchange makes of the job. A tool's own error is a failure, with the tool's result.
 *
 * @param limit bound on what is stored, in characters; beyond it the job has failed
 */
export function jobVerdict(
  record: JobRecord,
  last: LastEvent,
  gathered: GatheredChunks | undefined,
  view: View,
  limit: number,
  now: number,
): JobVerdict {
  if (last.kind === 'end') return endVerdict(record, last, view, now)
  const final = finalOutcome(last.outcome, gathered, view)
  // This attempt did not run, but one before may have.
  const isUnsure = record.attempt > 1 && notRun.has(reasonOf(final))
  if (isUnsure || isNodeLost(final)) return failure('outcome_unknown', view)
  const outcome = toJobOutcome(final)
  if (charactersOf(outcome) > limit) {
    return failure('too_large', view, `The result is larger than ${limit} characters`)
  }
  return { state: isFailure(record.request.method, final) ? 'failed' : 'succeeded', outcome }
}

/** A job that has failed for a reason of the gateway's own. */
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
  const { outcome } = failure(endSituations[reason] ?? 'cancelled', view)
  if (reason === 'cancelled') return { state: 'cancelled', outcome }
  return { state: reason === 'deadline' && isPast(record, now) ? 'expired' : 'failed', outcome }
}

function isFailure(method: string, final: FinalOutcome): boolean {
  if (final.kind === 'error') return true
  if (method !== methods.toolsCall) return false
  const result = final.result.value()
  return isJsonObject(result) && result['isError'] === true
}
