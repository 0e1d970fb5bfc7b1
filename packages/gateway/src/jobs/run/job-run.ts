import {
  createExchange,
  type Exchange,
  type ExchangeEvent,
  GatheredChunks,
  type LastEvent,
  type OpenExchange,
  type OrdinaryEvent,
  type Outcome,
  type Outlet,
  overflowOutcome,
  Renderer,
  type View,
  wantsProgress,
} from '@junctor/exchange'
import type { Answer } from '@junctor/jsonrpc'
import type { Lease } from '@junctor/contracts'
import type { ListNode } from '@junctor/primitives'
import { type ClientRequest, wireErrorFrom } from '@junctor/protocol'
import type { Timed } from '../../shared/deadlines.ts'
import { reportsStart, jobStarted } from '../record/job-events.ts'
import type { JobItem } from '../record/job-item.ts'
import { eventOfTask } from './event-of-task.ts'
import { JobConclusion } from './job-conclusion.ts'
import { deliverFrame } from '../delivery/deliver-to-session.ts'
import { JobLease } from './job-lease.ts'
import { JobQuestions } from './job-questions.ts'
import { JobWrites } from './job-writes.ts'
import { JobProgressWriter } from './job-progress-writer.ts'
import { JobReader } from './job-reader.ts'
import type { JobChange } from '../record/job-transition.ts'
import { contextOf, type JobKind, type JobProgress, type JobRecord, keyOf, ofJob } from '../record/job-record.ts'
import { requestOf } from '../record/job-request.ts'
import { viewOf } from '../record/job-view.ts'
import type { RunParts } from './run-parts.ts'
import type { StoredJob } from '../store/stored-records.ts'
import type { Submission } from '../record/submission.ts'

/** A job that this node runs under a lease. */
export interface LeasedJob {
  readonly lease: Lease<JobItem>
  readonly job: StoredJob
  /** Given when this node accepted the job. */
  readonly submission: Submission | undefined
  /** Aborts when this node takes no more jobs. */
  readonly closing: AbortSignal
}

/**
 * A job on the node that holds its lease: the outlet of the job's exchange. Before a client sees a part of the job, the
 * record says so; before the answer is sent, the record contains it.
 */
export class JobRun implements Outlet, Timed {
  readonly key: string
  readonly view: View
  readonly exchange: OpenExchange
  /** Resolves when the job has ended on this node. */
  readonly done: Promise<void>
  place: ListNode<Timed> | undefined = undefined
  readonly #parts: RunParts
  readonly #lease: JobLease
  readonly #renderer: Renderer
  readonly #leave: () => void
  readonly #writes: JobWrites
  readonly #conclusion: JobConclusion
  #asked: JobQuestions | undefined = undefined
  #reported: JobProgressWriter | undefined = undefined
  /** Events go to the newest reader. */
  readonly #readers: JobReader[] = []
  #gathered: GatheredChunks | undefined = undefined
  /** Events that wait until the record says that a client may have seen a part. */
  #held: OrdinaryEvent[] | undefined
  #gate: Promise<void> | undefined = undefined

  constructor(parts: RunParts, { lease, job, submission, closing }: LeasedJob) {
    const { record } = job
    const { host, clock } = parts
    const request = submission?.request ?? requestOf(record.request)
    const context = submission === undefined ? contextOf(record) : ofJob(submission.context, record)
    const now = clock.now()
    const longest = longestMs(record, parts)
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#parts = parts
    this.#lease = new JobLease(parts, lease, record.fence, closing)
    this.#held = record.emitted ? undefined : []
    this.#leave = resolve
    this.done = promise
    this.key = keyOf(record)
    this.view = viewOf(parts.profileOf, record, request, context)
    this.#renderer = new Renderer(this.view)
    this.exchange = createExchange(
      {
        id: host.nextId(),
        request,
        context,
        deadline: Math.min(now + longest, record.createdAt + record.ttlMs),
        attempt: record.attempt,
        wantsProgress: wantsProgress(this.view),
      },
      host,
    )
    this.#writes = new JobWrites(parts, this.key, job, (reason) => this.exchange.end(reason))
    this.#conclusion = new JobConclusion(parts, this.#lease, this.view, this.#writes)
    this.exchange.attach(this)
  }

  /** The record as it was last written. */
  get record(): JobRecord {
    return this.#writes.record
  }

  /** The same, with its revision. */
  get stored(): StoredJob {
    return this.#writes.stored
  }

  get overflow(): Outcome | undefined {
    return overflowOutcome(this.#gathered, this.view)
  }

  /** Whether the job has ended, as far as this node knows. */
  get isOver(): boolean {
    return this.#conclusion.isOver
  }

  get kind(): JobKind {
    return this.record.kind
  }

  /** The id of the task. `undefined`: the job is not a task of MCP. */
  get taskId(): string | undefined {
    const { kind, id } = this.record
    return kind === 'task' ? id : undefined
  }

  get deadline(): number {
    return this.exchange.deadline
  }

  expire(): void {
    this.exchange.end('deadline')
  }

  /** Runs the request, after the record says so. */
  start(): void {
    const { clock, log, emit, handlerOf } = this.#parts
    const { record } = this
    const { exchange } = this
    if (reportsStart(record)) emit(jobStarted(record))
    const crashed = (error: unknown): void => {
      log.error('a handler failed', { method: record.request.method, error })
      exchange.settle({ kind: 'error', error: wireErrorFrom(error, this.view) })
    }
    try {
      const outcome = handlerOf(record)(exchange.request, exchange)
      if (!(outcome instanceof Promise)) return exchange.settle(outcome)
      clock.deadlines.add(this)
      outcome.then((settled) => exchange.settle(settled), crashed)
    } catch (error) {
      crashed(error)
    }
  }

  /** Ends the run because the node leaves; another node may run the job. */
  leave(): void {
    this.#writes.leave()
    this.exchange.end('shutdown')
  }

  /** Extends the lease. */
  async beat(): Promise<void> {
    if (!(await this.#lease.keep())) this.exchange.end('lease_lost')
  }

  /**
   * Adds a reader that waits for the job: it gets further events, and the open questions. All of a queued job goes to its
   * session's stream.
   */
  attach(outer: Exchange): void {
    if (this.kind === 'queued' || outer.ended !== undefined) return
    this.#readers.push(new JobReader(this, outer))
    this.exchange.attach(this)
  }

  /** When the newest reader has left, the one before it gets further events, and the open questions. */
  left(reader: JobReader): void {
    const at = this.#readers.indexOf(reader)
    if (at === -1) return
    this.#readers.splice(at, 1)
    if (at === this.#readers.length && at > 0) this.exchange.attach(this)
  }

  /** The questions without an answer, by the ids of their asks. */
  get questions(): ReadonlyMap<string, ClientRequest> {
    return this.#questions.open()
  }

  /** Aborts when the question is answered or withdrawn. */
  answered(askId: string): AbortSignal {
    return this.#questions.signal(askId)
  }

  answer(askId: string, answer: Answer): void {
    this.#questions.settle(askId)
    this.exchange.answer(askId, answer)
  }

  write(event: ExchangeEvent): Promise<void> | undefined {
    if (event.kind === 'outcome' || event.kind === 'end') {
      void this.#finish(event)
      return undefined
    }
    if (event.kind === 'task_started') {
      this.#write({ kind: 'task_started', task: event.task, fence: this.#lease.fence, now: this.#parts.clock.now() })
      return undefined
    }
    if (this.#held === undefined) return this.#show(event)
    this.#held.push(event)
    this.#gate ??= this.#open()
    return this.#gate
  }

  async #open(): Promise<void> {
    try {
      await this.#writes.change({ kind: 'emit', fence: this.#lease.fence, now: this.#parts.clock.now() })
    } catch (error) {
      return this.#failed(error)
    }
    const held = this.#held ?? []
    this.#held = undefined
    for (const event of held) void this.#show(event)
  }

  /** Most jobs ask nothing, and report no progress. */
  get #questions(): JobQuestions {
    this.#asked ??= new JobQuestions((kind) => this.#writeState(kind))
    return this.#asked
  }

  get #progress(): JobProgressWriter {
    this.#reported ??= new JobProgressWriter((progress) => this.#writeProgress(progress))
    return this.#reported
  }

  #show(happened: OrdinaryEvent): Promise<void> | undefined {
    const event = this.taskId === undefined ? happened : eventOfTask(happened, this.taskId)
    const isQueued = this.kind === 'queued'
    if (event.kind === 'chunk' && !(isQueued && this.view.stream)) {
      this.#gathered ??= new GatheredChunks(this.view.method, this.#parts.limits.jobCharacters, this.view.profile)
      this.#gathered.add(event.data)
    }
    if (event.kind === 'ask' && !isQueued) this.#questions.ask(event)
    if (event.kind === 'withdrawn') this.#questions.settle(event.id)
    // The progress of other kinds goes where their answers go.
    if (event.kind === 'progress' && this.kind === 'async') this.#progress.take(event.progress)
    // The progress of a task always goes to its session.
    const isSent = isQueued || (this.kind === 'task' && (event.kind === 'progress' || event.kind === 'notification'))
    const slow = isSent ? deliverFrame(this.#parts.deliveries, this.record, this.#renderer.render(event)) : undefined
    this.#readers.at(-1)?.show(event)
    return slow
  }

  #writeState(kind: 'ask' | 'go_on'): void {
    this.#write({ kind, fence: this.#lease.fence, now: this.#parts.clock.now() })
  }

  #write(change: JobChange): void {
    if (this.exchange.closed) return
    void this.#writes.change(change).catch((error: unknown) => this.#failed(error))
  }

  async #writeProgress({ progress, total }: JobProgress): Promise<void> {
    if (this.exchange.closed) return
    const { clock, log } = this.#parts
    const update = { progress, ...(total !== undefined && { total }) }
    try {
      await this.#writes.change({ kind: 'progress', fence: this.#lease.fence, progress: update, now: clock.now() })
    } catch (error) {
      log.warn('the progress of a job could not be written', { error })
    }
  }

  async #finish(last: LastEvent): Promise<void> {
    this.#parts.clock.deadlines.remove(this)
    try {
      if (this.#gate !== undefined) await this.#gate
      // The record then names the task of the backend, if there is one: the end of the job depends on it.
      await this.#writes.settled()
      await this.#conclusion.conclude(last, this.#gathered)
    } catch (error) {
      this.#failed(error)
    } finally {
      this.#leave()
    }
  }

  async #giveBack(): Promise<void> {
    try {
      await this.#lease.release()
    } catch {
      // The lease expires.
    }
  }

  /** Called when the fabric does not answer. The node that gets the lease next reads the state from the record. */
  #failed(error: unknown): void {
    this.#parts.log.error('a job could not be written', { error })
    this.exchange.end('lease_lost')
    void this.#giveBack()
  }
}

/** How long a run may take. The repeat of a request waits as long as the job of the first one takes. */
function longestMs({ kind, repeats }: JobRecord, parts: Pick<RunParts, 'longestCallMs' | 'limits'>): number {
  if (repeats !== undefined) return Infinity
  return kind === 'queued' ? parts.longestCallMs() : parts.limits.jobMs
}
