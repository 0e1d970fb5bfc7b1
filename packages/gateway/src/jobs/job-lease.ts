import type { Lease } from '@junctor/contracts'
import type { RunParts } from './run-parts.ts'

/** The lease under which a node runs a job. */
export class JobLease {
  /** Of the node's writes: that of the lease, or a higher one where numbers began anew. */
  readonly fence: number
  readonly #parts: Pick<RunParts, 'clock' | 'limits'>
  readonly #lease: Lease<string>
  readonly #closing: AbortSignal
  #extendedAt: number

  /**
   * @param fence that the record has by now
   * @param closing aborts when this node takes no more jobs
   */
  constructor(parts: Pick<RunParts, 'clock' | 'limits'>, lease: Lease<string>, fence: number, closing: AbortSignal) {
    this.#parts = parts
    this.#lease = lease
    this.#closing = closing
    this.#extendedAt = parts.clock.now()
    this.fence = Math.max(lease.fence, fence)
  }

  /** False: it is lost. Who could not keep it in time must take it that somebody else has the job. */
  async keep(): Promise<boolean> {
    const { clock, limits } = this.#parts
    const asked = clock.now()
    const isKept = await this.#lease.extend().catch(() => asked - this.#extendedAt < limits.jobLeaseMs)
    if (isKept) this.#extendedAt = asked
    return isKept
  }

  /** The work is done. */
  async done(): Promise<void> {
    await this.#lease.done()
  }

  /** Gives the job back to be run again. @param waitMs not before so many milliseconds: by then it may go better */
  release(waitMs = 0): Promise<void> {
    // Others need not wait for a node that leaves.
    return this.#lease.release(this.#closing.aborted ? 0 : waitMs)
  }
}
