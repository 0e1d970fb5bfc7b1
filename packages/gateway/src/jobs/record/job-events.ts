import type { TelemetryEvent, JobEventFields } from '@junctor/contracts'
import { traceIdOf } from '../../shared/trace-parent.ts'
import type { JobRecord } from './job-record.ts'

/**
 * The characters of an id that events show: enough to distinguish jobs, but far too few to guess the rest of its 22.
 */
const shownCharacters = 10

/**
 * Whether events report the begin of a job. A request that is answered on its session's stream counts as a normal call,
 * whose own event reports the begin; there may be thousands of them per second.
 */
export function reportsStart({ kind }: JobRecord): boolean {
  return kind !== 'queued'
}

/** The event for a stored job. */
export function jobSubmitted(record: JobRecord): TelemetryEvent {
  return { kind: 'job_submitted', ...fieldsOf(record) }
}

/** The event for a started job. */
export function jobStarted(record: JobRecord): TelemetryEvent {
  return { kind: 'job_started', attempt: record.attempt, ...fieldsOf(record) }
}

/** The event for an ended job. `undefined`: it has not ended. */
export function jobEnded(record: JobRecord): TelemetryEvent | undefined {
  const { state, createdAt, updatedAt } = record
  if (state === 'queued' || state === 'running' || state === 'input_required') return undefined
  return { kind: 'job_ended', state, durationMs: updatedAt - createdAt, ...fieldsOf(record) }
}

function fieldsOf({ id, kind, tenant, request, trace, principal }: JobRecord): JobEventFields {
  return {
    job: id.slice(0, shownCharacters),
    purpose: kind,
    tenant,
    method: request.method,
    trace: traceIdOf(trace),
    principal: principal.key,
  }
}
