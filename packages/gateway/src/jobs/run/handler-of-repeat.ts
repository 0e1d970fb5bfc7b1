import type { Exchange, Handler, Host } from '@junctor/exchange'
import type { Log } from '@junctor/contracts'
import { wireError } from '@junctor/protocol'
import { pause } from '../../shared/pause.ts'
import { outcomeOf } from '../record/job-outcome.ts'
import { type JobRecord, keyOf } from '../record/job-record.ts'
import { type ProfileOf, viewOf } from '../record/job-view.ts'
import { waitApart } from './wait-apart.ts'

/** What answering a repeat needs. */
export interface RepeatParts {
  readonly host: Host
  readonly profileOf: ProfileOf
  readonly log: Log
  /** Waits for the end of a job, as `JobDesk.wait` does. */
  wait(key: string, exchange: Exchange): Promise<JobRecord | undefined>
}

/** How long to wait before a job that could not be read is read again, in milliseconds. */
const againMs = 1_000

/**
 * The handler for the repeat of a request: it waits for the job of the first request, on any node, and gives its outcome.
 * When that job was withdrawn, or is forgotten, the outcome is unknown.
 *
 * @param first the id of that job, which has the same owner
 */
export function handlerOfRepeat(parts: RepeatParts, record: JobRecord, first: string): Handler {
  const key = keyOf({ owner: record.owner, id: first })
  return async (request, exchange) => {
    // The questions of the job go to the client of the first request alone.
    const over = await waitApart(parts.host, request, exchange, (waiting) => waitFor(parts, key, waiting))
    if (over?.outcome !== undefined) return outcomeOf(over.outcome)
    return { kind: 'error', error: wireError('outcome_unknown', viewOf(parts.profileOf, record)) }
  }
}

/** Waits also while the storage does not answer: the client was promised an answer. */
async function waitFor(parts: RepeatParts, key: string, exchange: Exchange): Promise<JobRecord | undefined> {
  while (exchange.ended === undefined) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- until it can be read
      return await parts.wait(key, exchange)
    } catch (error) {
      parts.log.warn('a job could not be read, and will be read again', { error })
      // oxlint-disable-next-line no-await-in-loop
      await pause(againMs)
    }
  }
  return undefined
}
