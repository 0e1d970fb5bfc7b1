import type { Outcome } from '@junctor/exchange'
import { type JsonObject, payloadOf } from '@junctor/jsonrpc'
import { type ErrorDetails, type Situation, situationOf } from '@junctor/protocol'
import type { Call } from '../upstream/calls/call.ts'
import { failed } from '../upstream/calls/failed.ts'
import type { MethodRoute } from './method-route.ts'
import { findJob, type FoundJob } from '../jobs/desk/find-job.ts'
import type { JobDesk } from '../jobs/desk/job-desk.ts'
import type { JobRecord } from '../jobs/record/job-record.ts'
import { outcomeOf } from '../jobs/record/job-outcome.ts'

/** `job.status`: the state of a job, without waiting. */
export function jobStatusRoute(jobs: JobDesk): MethodRoute {
  return onJob(jobs, (_call, { record }) => completeOutcome(jobStatusResult(record)))
}

/** `job.result`: the result of the job's request, as soon as it is there. */
export function jobResultRoute(jobs: JobDesk): MethodRoute {
  const route = onJob(jobs, async (call, { key, record: { id } }) => {
    const record = await jobs.wait(key, call.exchange)
    return record?.outcome === undefined ? unknownJob(call, id) : outcomeOf(record.outcome)
  })
  return async (call) => {
    try {
      return await route(call)
    } catch (error) {
      return failed(call, ...unreadResult(error))
    }
  }
}

/** `job.cancel`: cancels an unfinished job. The answer is the job's state: cancelled, or finished before. */
export function jobCancelRoute(jobs: JobDesk): MethodRoute {
  return onJob(jobs, async (call, { key, record: { id } }) => {
    const cancelled = await jobs.cancel(key)
    return cancelled.kind === 'unknown' ? unknownJob(call, id) : completeOutcome(jobStatusResult(cancelled.record))
  })
}

function onJob(jobs: JobDesk, answer: (call: Call, found: FoundJob) => Outcome | Promise<Outcome>): MethodRoute {
  return async (call) => {
    const asked = await findJob(jobs, call.exchange.context, call.request.params)
    if (asked.kind === 'job') return answer(call, asked)
    if (asked.kind === 'unknown') return unknownJob(call, asked.id)
    return failed(call, 'invalid_params', { message: asked.message })
  }
}

/** A complete outcome with this result. */
export function completeOutcome(result: JsonObject): Outcome {
  return { kind: 'complete', result: payloadOf(result) }
}

/**
 * The error for a result that the storage does not give now. The answer has the id of the job's request, which may have run.
 *
 * @throws any other error
 */
export function unreadResult(error: unknown): readonly [Situation, ErrorDetails] {
  if (situationOf(error) !== 'fabric_unavailable') throw error
  return ['outcome_unknown', { message: 'The storage does not answer: ask for the result of the job again' }]
}

/** The message for every job that the caller may not access, regardless of the reason. */
export const unknownJobMessage = "Unknown job: it never was, is forgotten, or is another caller's"

function unknownJob(call: Call, id: string): Outcome {
  return failed(call, 'unknown_resource', {
    name: id,
    message: unknownJobMessage,
  })
}

/** A job as `job.status` shows it. */
export function jobStatusResult({ id, state, progress, createdAt, updatedAt, ttlMs }: JobRecord): JsonObject {
  return {
    jobId: id,
    status: state,
    ...progress,
    createdAt: new Date(createdAt).toISOString(),
    updatedAt: new Date(updatedAt).toISOString(),
    expiresAt: new Date(createdAt + ttlMs).toISOString(),
  }
}
