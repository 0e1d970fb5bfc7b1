import type { Log } from '@junctor/contracts'
import type { Clock } from '../shared/clock.ts'
import type { JobRecord } from './job-record.ts'
import { isFinal } from './job-record.ts'

/** How long nothing has to be written of a job before it is looked after, in milliseconds: longer than a lost lease lasts. */
const quietMs = 30_000

/** What looking after them needs. */
export interface LeftParts {
  /** Whether a node is there, also when it cannot be reached for a moment. */
  readonly isThere: (node: string) => Promise<boolean>
  readonly clock: Pick<Clock, 'now'>
  readonly log: Log
}

/** Jobs whose node is gone that would look after them. */
export interface LeftJobs {
  /**
   * Somebody asks for a job. Where nothing was written of it for a while, and the node that it came to is gone, its item is
   * pushed again: servers that were killed may have lost it. That changes nothing where it waits or is on loan.
   */
  asked(key: string, record: JobRecord): void
  sweep(): void
}

/** @param push puts the item where workers find it */
export function createLeftJobs({ isThere, clock, log }: LeftParts, push: (key: string) => Promise<void>): LeftJobs {
  /** When each was looked after. */
  const times = new Map<string, number>()

  const look = async (key: string, from: string): Promise<void> => {
    if (!(await isThere(from))) await push(key)
  }

  return {
    asked(key, { state, from, updatedAt }) {
      const now = clock.now()
      if (isFinal(state) || now - updatedAt < quietMs || times.has(key)) return
      times.set(key, now)
      look(key, from).catch((error: unknown) => log.debug('a job could not be looked after', { error }))
    },
    sweep() {
      const until = clock.now() - quietMs
      for (const [key, at] of times) {
        if (at > until) return
        times.delete(key)
      }
    },
  }
}
