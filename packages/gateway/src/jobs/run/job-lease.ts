import type { Lease } from '@junctor/contracts'
import type { JobItem } from '../record/job-item.ts'
import type { RunParts } from './run-parts.ts'

/** The lease under which a node runs a job. */
export class JobLease {
  /** The fence of the node's writes: that of the lease, or a higher one when lease numbers have started again. */
  readonly fence: number
  readonly #parts: Pick<RunParts, 'clock' | 'limits'>
  readonly #lease: Lease<JobItem>
  readonly #closing: AbortSignal
  #extendedAt: number

  /**
   * @param fence the fence in the record
   * @param closing aborts when this node takes no more jobs
   */
  constructor(parts: Pick<RunParts, 'clock' | 'limits'>, lease: Lease<JobItem>, fence: number, closing: AbortSignal) {
    this.#parts = parts
    this.#lease = lease
    this.#closing = closing
    this.#extendedAt = parts.clock.now()
    this.fence = Math.max(lease.fence, fence)
  }

  /**
   * Extends the lease. Returns false when it is lost: a node that could not extend it in time must assume that another
   * has the job.
   */
  async keep(): Promise<boolean> {
    const { clock, limits } = this.#parts
    const asked = clock.now()
    try {
      const isExtended = await this.#lease.extend()
      if (isExtended) this.#extendedAt = asked
      return isExtended
    } catch {
      return asked - this.#extendedAt < limits.jobLeaseMs
    }
  }

  /** Removes the job from the queue, because the work is done. */
  done(): Promise<unknown> {
    return this.#lease.done()
  }

  /** Puts the job back into the queue. @param waitMs not before this many milliseconds, when it may succeed */
  release(waitMs = 0): Promise<void> {
    // Other nodes need not wait when this node leaves.
    return this.#lease.release(this.#closing.aborted ? 0 : waitMs)
  }
}
