import type { EndReason } from '@junctor/exchange'
import { pause } from '../../shared/pause.ts'
import { isPast, type JobRecord } from '../record/job-record.ts'
import type { Changed } from '../store/job-store.ts'
import type { JobChange } from '../record/job-transition.ts'
import type { RunParts } from './run-parts.ts'
import { type StoredJob, unstoredRevision } from '../store/stored-records.ts'

/** How long to wait before a failed write is tried again, in milliseconds. */
const againMs = 1_000

/**
 * The writes of the node that runs a job. They run one after the other, because each names the revision that the
 * previous one made.
 */
export class JobWrites {
  readonly #parts: Pick<RunParts, 'store' | 'clock' | 'log'>
  readonly #key: string
  readonly #end: (reason: EndReason) => void
  #job: StoredJob
  #last: Promise<unknown> | undefined = undefined
  #isLeaving = false

  /**
   * @param end ends the job's exchange, because the record says that the job was cancelled or that another node has it
   */
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

  /** The record as it was last written. */
  get record(): JobRecord {
    return this.#job.record
  }

  /** The same, with its revision. */
  get stored(): StoredJob {
    return this.#job
  }

  /** Whether it has a record of its own, and not only its item in the queue. */
  get isStored(): boolean {
    return this.#job.revision !== unstoredRevision
  }

  /** The node leaves: writes that fail from now on are given up. */
  leave(): void {
    this.#isLeaving = true
  }

  /** Resolves when the changes so far are written, or have failed. Never rejects. */
  async settled(): Promise<void> {
    await Promise.allSettled([this.#last])
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

  /** Removes an ended job that cannot be polled. */
  bury(): Promise<void> {
    return this.#parts.store.bury(this.#key, this.#job)
  }

  /**
   * Retries a write until it succeeds. The fence decides whether it still counts, if another node has the job by then.
   */
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
