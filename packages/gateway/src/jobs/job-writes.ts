import type { EndReason } from '@junctor/exchange'
import { pause } from '../shared/pause.ts'
import type { JobRecord } from './job-record.ts'
import { isPast } from './job-record.ts'
import type { Changed } from './job-store.ts'
import type { JobChange } from './job-transition.ts'
import type { RunParts } from './run-parts.ts'
import type { StoredJob } from './stored-records.ts'

/** How long is waited before what could not be stored is tried again, in milliseconds. */
const againMs = 1_000

/** A job as the node that runs it writes it: one write after the other, for each names the revision that the one before has made. */
export class JobWrites {
  readonly #parts: Pick<RunParts, 'store' | 'clock' | 'log'>
  readonly #key: string
  readonly #end: (reason: EndReason) => void
  #job: StoredJob
  #last: Promise<unknown> | undefined = undefined
  #isLeaving = false

  /** @param end ends the job's exchange: the record says that it was cancelled, or that somebody else has it */
  constructor(
    parts: Pick<RunParts, 'store' | 'clock' | 'log'>,
    key: string,
    job: StoredJob,
    end: (reason: EndReason) => void,
  ) {
    this.#parts = parts
    this.#key = key
    this.#job = job
    this.#end = end
  }

  /** As it was last written. */
  get record(): JobRecord {
    return this.#job.record
  }

  /** The node goes away: what cannot be stored now is given up. */
  leave(): void {
    this.#isLeaving = true
  }

  change(change: JobChange): Promise<Changed> {
    const write = async (): Promise<Changed> => {
      const changed = await this.#parts.store.change(this.#key, change, this.#job)
      if (changed.kind !== 'unknown') this.#job = changed.job
      if (changed.kind === 'final') this.#end('cancelled')
      else if (changed.kind !== 'moved' && changed.kind !== 'same') this.#end('lease_lost')
      return changed
    }
    const written = this.#last === undefined ? write() : this.#last.then(write, write)
    this.#last = written
    return written
  }

  /** Removes a job that is over and that nobody can ask for. */
  bury(): Promise<void> {
    return this.#parts.store.bury(this.#key, this.#job)
  }

  /** What it came to is stored as soon as it can be: who has the job by then, and its fence, decides whether it counts. */
  async persist<Result>(write: () => Promise<Result>): Promise<Result> {
    const { clock, log } = this.#parts
    for (;;) {
      try {
        // oxlint-disable-next-line no-await-in-loop -- until it is stored
        return await write()
      } catch (error) {
        if (this.#isLeaving || isPast(this.record, clock.now())) throw error
        log.warn('the end of a job could not be stored, and will be tried again', { error })
        // oxlint-disable-next-line no-await-in-loop
        await pause(againMs)
      }
    }
  }
}
