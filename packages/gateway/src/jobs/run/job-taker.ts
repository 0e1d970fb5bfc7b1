import type { Lease, Log, Queue } from '@junctor/contracts'
import { SharedWait } from '@junctor/primitives'
import type { Clock } from '../../shared/clock.ts'
import { pause } from '../../shared/pause.ts'
import type { JobRecord } from '../record/job-record.ts'
import type { JobRun } from './job-run.ts'
import type { RunningJobs } from './running-jobs.ts'
import type { JobItem } from '../record/job-item.ts'
import type { HoldResult } from './hold-job.ts'
import type { StartResult, Starter } from './direct-starts.ts'
import type { Submission } from '../record/submission.ts'
import { begin, type TakenJob } from './take-job.ts'

/** What a taker needs. */
export interface TakerParts {
  readonly queue: Pick<Queue<JobItem>, 'take'>
  readonly runs: RunningJobs
  /** The most jobs that run at the same time. */
  readonly jobsRunning: number
  /** Undefined: there is nothing to do for it. */
  readonly take: (lease: Lease<JobItem>, closing: AbortSignal) => Promise<TakenJob | undefined>
  /** Stores a job that this node accepted, and takes its lease if the node still starts jobs. */
  readonly hold: (record: JobRecord, submission: Submission, closing: AbortSignal) => Promise<HoldResult>
  /** A job that was run here is over. */
  readonly ended: (key: string, record: JobRecord) => void
  readonly clock: Pick<Clock, 'now'>
  readonly log: Log
}

/** A queue that was empty for this long counts as empty, in milliseconds. */
const restMs = 250

/** How long a node waits after a failed take, in milliseconds. */
const againMs = 1_000

/** Failures that follow each other within this time are logged as one error, in milliseconds. */
const sameMs = 30_000

/**
 * Runs the jobs of all nodes, as many at the same time as its limit allows. It takes the next job while others begin:
 * every step of the fabric takes time.
 */
export class JobTaker implements Starter {
  readonly #parts: TakerParts
  readonly #closing = new AbortController()
  readonly #working: Promise<void>
  /** Ends when another job may run. */
  readonly #room = new SharedWait()
  /** Epoch milliseconds when it was last busy. */
  #busyAt = 0
  /** Epoch milliseconds when a job could last not be taken. */
  #failedAt = -Infinity
  /** It has room, and waits for an item of the queue. */
  #isTaking = false
  /** Jobs that are taken or stored, and do not run yet. */
  readonly #beginning = new Set<Promise<unknown>>()
  /** Resolves when the pause after the last failure is over. */
  #rested: Promise<void> = Promise.resolve()

  constructor(parts: TakerParts) {
    this.#parts = parts
    this.#working = this.#work()
  }

  /** Whether no job is running, and the queue was empty for a while. */
  get isAtRest(): boolean {
    return this.#parts.runs.size === 0 && this.#underWay === 0 && this.#parts.clock.now() - this.#busyAt >= restMs
  }

  get hasRoom(): boolean {
    // When others wait for room, a new job waits behind them.
    return this.#isTaking && !this.#closing.signal.aborted && this.#underWay < this.#parts.jobsRunning
  }

  start(record: JobRecord, submission: Submission): Promise<StartResult> {
    return this.#begins(this.#start(record, submission))
  }

  /** Takes no more jobs. Resolves when the running ones have ended. */
  async drain(): Promise<void> {
    this.#stop()
    await this.#begun()
    await Promise.all([...this.#parts.runs].map(({ done }) => done))
  }

  /** Puts the running jobs back into the queue, for other nodes. */
  async close(): Promise<void> {
    this.#stop()
    const left = this.#leave()
    await this.#begun()
    // Some may have begun meanwhile.
    await Promise.all([left, this.#leave()])
  }

  get #underWay(): number {
    return this.#parts.runs.working + this.#beginning.size
  }

  async #leave(): Promise<void> {
    const open = [...this.#parts.runs]
    for (const run of open) run.leave()
    await Promise.all(open.map(({ done }) => done))
  }

  /** Resolves when no job is taken or stored any more. */
  async #begun(): Promise<void> {
    await this.#working
    await Promise.all(this.#beginning)
  }

  #stop(): void {
    this.#closing.abort()
    this.#room.end()
  }

  /* oxlint-disable no-await-in-loop -- one job after the other is taken */
  async #work(): Promise<void> {
    const { queue, jobsRunning, clock } = this.#parts
    const { signal } = this.#closing
    while (!signal.aborted) {
      if (this.#underWay >= jobsRunning) {
        await this.#room.wait()
        continue
      }
      try {
        this.#isTaking = true
        const lease = await queue.take(signal).finally(() => (this.#isTaking = false))
        if (lease === undefined) return
        this.#busyAt = clock.now()
        void this.#begins(this.#run(lease))
      } catch (error) {
        this.#failed(error)
      }
      await this.#rested
    }
  }
  /* oxlint-enable no-await-in-loop */

  #failed(error: unknown): void {
    const { log, clock } = this.#parts
    const isNew = clock.now() - this.#failedAt > sameMs
    this.#failedAt = clock.now()
    log[isNew ? 'error' : 'debug']('a job could not be taken', { error })
    this.#rested = pause(againMs)
  }

  /** Counts a job as under way until it runs, or does not. */
  async #begins<T>(beginning: Promise<T>): Promise<T> {
    this.#beginning.add(beginning)
    try {
      return await beginning
    } finally {
      this.#beginning.delete(beginning)
      this.#room.end()
    }
  }

  async #start(record: JobRecord, submission: Submission): Promise<StartResult> {
    const held = await this.#parts.hold(record, submission, this.#closing.signal)
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
    try {
      const taken = await this.#parts.take(lease, this.#closing.signal)
      if (taken === undefined) {
        await lease.done()
        return
      }
      this.#add(taken.run)
      begin(taken)
    } catch (error) {
      this.#failed(error)
      lease.release().catch(() => {})
    }
  }

  #left(run: JobRun): void {
    const { runs, ended, clock } = this.#parts
    runs.remove(run)
    this.#busyAt = clock.now()
    this.#room.end()
    // Otherwise another node has the job, or will get it.
    if (run.isOver) ended(run.key, run.record)
  }
}
