import { Renderer } from '@junctor/exchange'
import type { Situation } from '@junctor/protocol'
import type { Log } from '@junctor/contracts'
import type { Clock } from '../../shared/clock.ts'
import { deliverAnswer } from '../delivery/deliver-to-session.ts'
import type { JobDelivery } from '../delivery/job-delivery.ts'
import { isFinal, isPast, isPollable, type JobRecord, lastOf } from '../record/job-record.ts'
import type { JobItem } from '../record/job-item.ts'
import type { RunningJobs } from './running-jobs.ts'
import type { JobStore } from '../store/job-store.ts'
import { failure } from '../record/job-verdict.ts'
import { type ProfileOf, viewOf } from '../record/job-view.ts'
import type { OpenJobs, OverdueJob } from '../store/open-jobs.ts'
import type { Found } from '../store/stored-records.ts'

/** What to do about a job that this node accepted and that had no news for a while. */
export type OverdueAction =
  /** The job has ended. */
  | { readonly kind: 'over' }
  /** The job is queued or runs: its item must be in the queue. */
  | { readonly kind: 'push' }
  /** No node will run the job, and the waiting client must get an error. */
  | { readonly kind: 'fail'; readonly situation: Extract<Situation, 'deadline_exceeded' | 'outcome_unknown'> }

/** What checking jobs needs. */
export interface OverdueJobsParts {
  readonly store: Pick<JobStore, 'find'>
  readonly runs: Pick<RunningJobs, 'get'>
  readonly deliveries: Pick<JobDelivery, 'deliverSurely'>
  readonly profileOf: ProfileOf
  readonly clock: Pick<Clock, 'now'>
  readonly log: Log
}

/**
 * @param record the record when the job was accepted
 * @param found what is stored of the job now
 */
export function overdueAction(record: JobRecord, found: Found, now: number): OverdueAction {
  if (found.kind === 'over') return { kind: 'over' }
  if (found.kind === 'job' && isPollable(record) && isFinal(found.job.record.state)) return { kind: 'over' }
  if (isPast(record, now)) return { kind: 'fail', situation: 'deadline_exceeded' }
  // A job that is final but has no answer yet is answered by the node that takes its item.
  return found.kind === 'job' ? { kind: 'push' } : { kind: 'fail', situation: 'outcome_unknown' }
}

/**
 * Checks the jobs that this node accepted and that have not ended, as far as it knows. Servers that are killed, or
 * whose streams are deleted, may have lost the item of one in the queue, or its record.
 *
 * @param push puts the item into the queue; has no effect when the item is still there
 */
export function createOverdueJobs(
  parts: OverdueJobsParts,
  open: Pick<OpenJobs, 'overdue' | 'delete'>,
  push: (key: string, item?: JobItem) => Promise<void>,
): { sweep(): void } {
  const { store, runs, deliveries, clock, log } = parts

  const answer = async (record: JobRecord, situation: Situation): Promise<void> => {
    if (record.kind !== 'queued') return
    const view = viewOf(parts.profileOf, record)
    const frame = new Renderer(view).render(lastOf({ ...record, ...failure(situation, view) }))
    await deliverAnswer(deliveries, record, frame)
  }

  const check = async ({ key, record, held }: OverdueJob): Promise<void> => {
    // This node runs it, and need not write that anywhere.
    if (runs.get(key) !== undefined && !isPast(record, clock.now())) return
    const found = await store.find(key)
    // A held job has no record before a node takes its item: this node brings the item back to the queue.
    if (held !== undefined && found.kind === 'nothing' && !isPast(record, clock.now())) return push(key, held)
    const action = overdueAction(record, found, clock.now())
    if (action.kind === 'push') return push(key)
    // If that fails, it is tried again at the next check.
    if (action.kind === 'fail') await answer(record, action.situation)
    open.delete(key)
  }

  return {
    sweep() {
      for (const late of open.overdue(clock.now())) {
        check(late).catch((error: unknown) => log.debug('an overdue job could not be checked', { error }))
      }
    },
  }
}
