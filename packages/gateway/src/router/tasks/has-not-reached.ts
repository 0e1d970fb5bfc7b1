import type { Outcome } from '@junctor/exchange'
import { notRun } from '../../jobs/record/job-retry.ts'
import { reasonOf } from '../../shared/errors.ts'

/** How long to wait before a backend that was not reached is asked for its task again, in milliseconds. */
export const againMs = 1_000

/**
 * Whether a request about a task did not get to the backend that has started the task. The task goes on there, so the
 * request must be sent again: as the outcome of a job, this one would say that nothing ran, and the job would start a
 * second task.
 */
export function hasNotReached(outcome: Outcome): boolean {
  const reason = reasonOf(outcome)
  return notRun.has(reason) || reason === 'too_many_requests'
}
