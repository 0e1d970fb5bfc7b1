import { type GatheredChunks, type LastEvent, Renderer, type View } from '@junctor/exchange'
import { type JobRetry, jobRetry } from '../record/job-retry.ts'
import { jobEnded } from '../record/job-events.ts'
import { deliverAnswer } from '../delivery/deliver-to-session.ts'
import type { JobLease } from './job-lease.ts'
import { isFinal, isPollable, type JobRecord, lastOf } from '../record/job-record.ts'
import { jobVerdict } from '../record/job-verdict.ts'
import type { JobWrites } from './job-writes.ts'
import type { RunParts } from './run-parts.ts'

/**
 * Ends a job when its exchange has ended: puts it back into the queue, or delivers its answer and removes its queue
 * item.
 */
export class JobConclusion {
  /** Whether the job has ended, as far as this node knows. */
  isOver = false
  readonly #parts: RunParts
  readonly #lease: JobLease
  readonly #view: View
  readonly #writes: JobWrites

  constructor(parts: RunParts, lease: JobLease, view: View, writes: JobWrites) {
    this.#parts = parts
    this.#lease = lease
    this.#view = view
    this.#writes = writes
  }

  /** Rejects when the fabric does not answer. */
  async conclude(last: LastEvent, gathered: GatheredChunks | undefined): Promise<void> {
    if (last.kind === 'end' && last.reason === 'lease_lost') return
    if (last.kind === 'end' && last.reason === 'shutdown') return this.#lease.release()
    const { clock } = this.#parts
    const again = jobRetry(this.#writes.record, last, clock.now())
    if (again !== undefined && (await this.#putBack(again))) return
    const record = await this.#end(last, gathered)
    if (record === undefined) return
    if (record.kind === 'queued' && !(await this.#answer(record))) return this.#lease.release()
    this.isOver = true
    const event = jobEnded(record)
    if (event !== undefined) this.#parts.emit(event)
    // The record first: if this node dies in between, the next node that gets the item finds that the job has ended.
    if (!isPollable(record) && this.#writes.isStored) await this.#writes.persist(() => this.#writes.bury())
    await this.#writes.persist(() => this.#lease.done())
  }

  /** Returns false when the job has ended already. */
  async #putBack({ mayHaveRun, waitMs }: JobRetry): Promise<boolean> {
    const change = { kind: 'put_back', fence: this.#lease.fence, mayHaveRun, now: this.#parts.clock.now() } as const
    const { kind } = await this.#writes.persist(() => this.#writes.change(change))
    if (kind === 'moved' || kind === 'same') await this.#lease.release(waitMs)
    return kind !== 'final'
  }

  /** The record with its result. `undefined`: another node has the job. */
  async #end(last: LastEvent, gathered: GatheredChunks | undefined): Promise<JobRecord | undefined> {
    const now = this.#parts.clock.now()
    const limit = this.#parts.limits.jobCharacters
    const verdict = jobVerdict(this.#writes.record, last, gathered, { view: this.#view, limit, now })
    // The result of a job that cannot be polled is not stored: the session's home node ensures a single answer.
    if (isPollable(this.#writes.record)) {
      const change = { kind: 'end', fence: this.#lease.fence, now, ...verdict } as const
      const { kind } = await this.#writes.persist(() => this.#writes.change(change))
      if (kind !== 'moved' && kind !== 'final') return undefined
    }
    const { record } = this.#writes
    return isFinal(record.state) ? record : { ...record, ...verdict, updatedAt: now }
  }

  #answer(record: JobRecord): Promise<boolean> {
    // The result in the record contains the chunks; frames that were rendered before are not used.
    return deliverAnswer(this.#parts.deliveries, record, new Renderer(this.#view).render(lastOf(record)))
  }
}
