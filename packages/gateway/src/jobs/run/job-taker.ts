import type { Lease, Log, Queue } from '@junctor/contracts'
import { Pending } from '@junctor/jsonrpc'
import type { Clock } from '../../shared/clock.ts'
import { pause } from '../../shared/pause.ts'
import { type JobRecord, keyOf } from '../record/job-record.ts'
import type { JobRun } from './job-run.ts'
import type { RunningJobs } from './running-jobs.ts'
import type { JobItem } from '../record/job-item.ts'
import type { HoldResult, HeldJobs } from './held-jobs.ts'
import type { StartResult, Starter } from './direct-starts.ts'
import type { Submission } from '../record/submission.ts'
import type { TakenJob } from './take-job.ts'
import { begin } from './take-job.ts'

/** What a taker needs. */
export interface TakerParts {
  readonly queue: Pick<Queue<JobItem>, 'take'>
  readonly runs: RunningJobs
  /** The most jobs that run at the same time. */
  readonly jobsRunning: number
  /** Undefined: there is nothing to do for it. */
  readonly take: (lease: Lease<JobItem>, closing: AbortSignal) => Promise<TakenJob | undefined>
  /** Stores jobs that this node accepted. */
  readonly heldJobs: HeldJobs
  /** A job that was run here is over. */
  readonly ended: (key: string, record: JobRecord) => void
  readonly clock: Pick<Clock, 'now'>
  readonly log: Log
}

/** A queue that was empty for this long counts as empty, in milliseconds. */
const restMs = 250

/** How long a node waits after a failed take, in milliseconds. */
const againMs = 1_000

/** Runs the jobs of all nodes, as many at the same time as its limit allows. */
export class JobTaker implements Starter {
  readonly #parts: TakerParts
  readonly #closing = new AbortController()
  readonly #working: Promise<void>
  /** Resolves when another job may run. */
  #room: PromiseWithResolvers<void> | undefined
  /** Epoch milliseconds when it was last busy. */
  #busyAt = 0
  /** It has room, and waits for an item of the queue. */
  #isTaking = false
  /** Jobs that this node accepted and that are being stored, by their keys. */
  readonly #storing = new Pending<Promise<StartResult>, string>()

  constructor(parts: TakerParts) {
    this.#parts = parts
    this.#working = this.#work()
  }

  /** Whether no job is running, and the queue was empty for a while. */
  get isAtRest(): boolean {
    const { runs, clock } = this.#parts
    return runs.size + this.#storing.size === 0 && clock.now() - this.#busyAt >= restMs
  }

  get hasRoom(): boolean {
    const { runs, jobsRunning } = this.#parts
    // When others wait for room, a new job waits behind them.
    return this.#isTaking && !this.#closing.signal.aborted && runs.size + this.#storing.size < jobsRunning
  }

  start(record: JobRecord, submission: Submission): Promise<StartResult> {
    const starting = this.#start(record, submission)
    this.#storing.set(keyOf(record), starting)
    return starting
  }

  /** Takes no more jobs. Resolves when the running ones have ended. */
  async drain(): Promise<void> {
    this.#stop()
    await this.#working
    await Promise.all(this.#storing.values())
    await Promise.all([...this.#parts.runs].map(({ done }) => done))
  }

  /** Puts the running jobs back into the queue, for other nodes. */
  async close(): Promise<void> {
    this.#stop()
    const open = [...this.#parts.runs]
    for (const run of open) run.leave()
    await Promise.all(this.#storing.values())
    await Promise.all(open.map(({ done }) => done))
    await this.#working
  }

  #stop(): void {
    this.#closing.abort()
    this.#room?.resolve()
  }

  /* oxlint-disable no-await-in-loop -- one job after the other is taken */
  async #work(): Promise<void> {
    const { queue, runs, jobsRunning, clock, log } = this.#parts
    const { signal } = this.#closing
    while (!signal.aborted) {
      if (runs.size >= jobsRunning) {
        this.#room = Promise.withResolvers<void>()
        await this.#room.promise
      }
      let lease: Lease<JobItem> | undefined
      try {
        this.#isTaking = true
        lease = await queue.take(signal).finally(() => (this.#isTaking = false))
        if (lease === undefined) return
        this.#busyAt = clock.now()
        await this.#run(lease)
      } catch (error) {
        log.error('a job could not be taken', { error })
        lease?.release().catch(() => {})
        await pause(againMs)
      }
    }
  }
  /* oxlint-enable no-await-in-loop */

  async #start(record: JobRecord, submission: Submission): Promise<StartResult> {
    const { heldJobs } = this.#parts
    let held: HoldResult
    try {
      held = await heldJobs.hold(record, submission, this.#closing.signal)
    } finally {
      void this.#storing.take(keyOf(record))
    }
    if (held.kind !== 'lent') return held
    const { run } = held
    this.#add(run)
    // The client gets the acceptance before the job runs.
    setImmediate(() => {
      if (!run.exchange.closed) run.start()
    })
    return { kind: 'stored' }
  }

  #add(run: JobRun): void {
    this.#parts.runs.add(run)
    void run.done.then(() => this.#left(run))
  }

  async #run(lease: Lease<JobItem>): Promise<void> {
    const { take } = this.#parts
    const taken = await take(lease, this.#closing.signal)
    if (taken === undefined) {
      await lease.done()
      return
    }
    this.#add(taken.run)
    begin(taken)
  }

  #left(run: JobRun): void {
    const { runs, ended, clock } = this.#parts
    runs.remove(run)
    this.#busyAt = clock.now()
    this.#room?.resolve()
    this.#room = undefined
    // Otherwise another node has the job, or will get it.
    if (run.isOver) ended(run.key, run.record)
  }
}
