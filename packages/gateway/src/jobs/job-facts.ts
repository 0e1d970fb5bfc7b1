import type { Fact, ToldJob } from '@junctor/contracts'
import { traceIdOf } from '../shared/trace-parent.ts'
import type { JobRecord } from './job-record.ts'

/** Of an id: enough to tell jobs apart, and far too few to guess the rest of its 22. */
const shownCharacters = 10

/**
 * Whether the beginning of a job is told. A request that is answered on its session's stream is a call like others,
 * and there may be thousands a second: its call says when it began.
 */
export function isBeginningTold({ kind }: JobRecord): boolean {
  return kind !== 'queued'
}

/** Told when a job is stored. */
export function jobSubmitted(record: JobRecord): Fact {
  return { kind: 'job_submitted', ...told(record) }
}

/** Told when a node runs it. */
export function jobStarted(record: JobRecord): Fact {
  return { kind: 'job_started', attempt: record.attempt, ...told(record) }
}

/** Told when it is over; `undefined` while it is not. */
export function jobEnded(record: JobRecord): Fact | undefined {
  const { state, createdAt, updatedAt } = record
  if (state === 'queued' || state === 'running' || state === 'input_required') return undefined
  return { kind: 'job_ended', state, durationMs: updatedAt - createdAt, ...told(record) }
}

function told({ id, kind, tenant, request, trace, principal }: JobRecord): ToldJob {
  return {
    job: id.slice(0, shownCharacters),
    purpose: kind,
    tenant,
    method: request.method,
    trace: traceIdOf(trace),
    principal: principal.key,
  }
}
